use super::*;
use crate::ops::contract::Pipe;

const TEXT: &str = "trace 1 ascend910b1 add 48 auto_sync
block 0
add.cpp:12 MTE2 DataCopy x+0 1*8192/8192 ub 0/8192
add.cpp:12 MTE2 DataCopyPad x\\sof\\sus+4294967296 7*20/40 ub 8192/32 bypass
add.cpp:12 set MTE2 V 7
add.cpp:14 wait MTE2 V 7
add.cpp:14 V Add 32*64/1 w16384,1,8,4 r0,1,8,4 m8192,0,255,2 r24576+96,8 r0+0,1
add.cpp:14 V Duplicate 4294967295*128/128 w0,1,8,1
\\e:0 S GetValue ub 196604 4
add.cpp:15 S SetValue gm y+64 8 w
add.cpp:15 barrier V
add.cpp:15 barrier ALL
block 47 alike 46
add.cpp:16 sync_all
add.cpp:17 cross_set MTE3 2 11
add.cpp:18 cross_wait 11
add.cpp:18 repeat 2 4294967295
add.cpp:19 MTE3 DataCopyPad y+0 1*4/4 ub 0/32
";

#[test]
fn both_forms_give_back_what_they_were_given() {
    let trace = Trace::from_text(TEXT).expect("a trace");
    assert_eq!(trace.to_string(), TEXT);
    let bytes = trace.to_bytes();
    assert_eq!(Trace::from_bytes(&bytes), Ok(trace));
}

#[test]
fn a_file_that_is_cut_short_or_damaged_is_told() {
    let bytes = Trace::from_text(TEXT).expect("a trace").to_bytes();
    for end in 0..bytes.len() {
        let error = Trace::from_bytes(&bytes[..end]).expect_err("cut short");
        let expected = if end < 8 {
            FileError::NoTrace
        } else {
            FileError::CutShort
        };
        assert_eq!(error, expected, "{end} bytes");
    }
    let mut more = bytes.clone();
    more.push(0);
    assert_eq!(Trace::from_bytes(&more), Err(FileError::More(1)));
    let mut later = bytes.clone();
    later[8] = 2;
    assert_eq!(Trace::from_bytes(&later), Err(FileError::Version(2)));
    // Any byte may be wrong: the answer is another trace or an error.
    for at in 0..bytes.len() {
        for value in [0, 1, 127, 255] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            let _ = Trace::from_bytes(&damaged);
        }
    }
    let last = bytes.len() - RECORD;
    for (at, value, why) in [
        (0, 99, "no kind of event has its number"),
        (1, 9, "no pipe has its number"),
        (2, 3, "no cache hint has its number"),
        (7, 9, "a name is not among the strings"),
    ] {
        let mut damaged = bytes.clone();
        damaged[last + at] = value;
        assert_eq!(Trace::from_bytes(&damaged), Err(FileError::Record(14, why)));
    }
}

#[test]
fn a_line_that_means_nothing_is_told() {
    let head = "trace 1 ascend910b1 add 48\n";
    for (text, line, why) in [
        ("", 1, "it is empty"),
        (
            "trace 2 c k 1\n",
            1,
            "it begins with `trace 1`, which is what this program reads",
        ),
        (
            "trace 1 c k\n",
            1,
            "it begins with `trace VERSION CHIP KERNEL BLOCKS`",
        ),
        (
            &format!("{head}a:1 sync_all"),
            2,
            "`block N` comes before events",
        ),
        (&format!("{head}block 0\na:1 sync"), 3, "`sync` is no event"),
        (
            &format!("{head}block 0\na:1 set V W 0"),
            3,
            "`W` is no pipe",
        ),
        (
            &format!("{head}block 0\na:1 set V S 256"),
            3,
            "`256` is no number here",
        ),
        (
            &format!("{head}block 0\na:1 sync_all now"),
            3,
            "`now` is one word too many",
        ),
        (
            &format!("{head}block 0\na:1 V Add 1*64/64 w0,1,8,3"),
            3,
            "elements have 1, 2, 4 or 8 bytes, not 3",
        ),
        (
            &format!("{head}block 0\na:1 V Add 1*64"),
            3,
            "`64` has no `/`",
        ),
        (
            &format!("{head}block 0\na:1 S GetValue l1 0 4"),
            3,
            "`l1` is no memory",
        ),
        (
            &format!("{head}block 0\na:1 wait V S"),
            3,
            "it ends too early",
        ),
    ] {
        let error = Trace::from_text(text).expect_err(text);
        assert_eq!((error.line, &*error.why), (line, why), "{text}");
    }
}

#[test]
fn pipes_keep_their_numbers() {
    // Files are read by later versions of this program.
    let numbers = Pipe::ALL.map(|pipe| (pipe.name(), pipe as u8));
    assert_eq!(numbers, [("S", 0), ("V", 1), ("MTE2", 2), ("MTE3", 3)]);
}

#[test]
fn what_is_repeated_goes_on_in_memory() {
    let text = "trace 1 ascend910b1 k 1
block 0
a:1 MTE2 DataCopy x+0 1*64/64 ub 0/64
a:2 MTE2 DataCopy y+0 1*8/8 ub 0/8
a:2 MTE2 DataCopy y+8 1*8/8 ub 0/8
a:2 repeat 1 1
a:1 MTE2 DataCopy x+64 1*64/64 ub 0/64
a:2 MTE2 DataCopy y+100 1*8/8 ub 0/8
a:2 MTE2 DataCopy y+108 1*8/8 ub 0/8
a:2 repeat 1 1
a:1 repeat 4 2
";
    let trace = Trace::from_text(text).expect("a trace");
    let mut places = Vec::new();
    trace.streams[0].visit(&mut |event| places.extend(event.what.global().map(|gm| gm.at)));
    let wanted = [
        0, 0, 8, 16, 64, 100, 108, 116, 128, 200, 208, 216, 192, 300, 308, 316,
    ];
    assert_eq!(places, wanted);
}
