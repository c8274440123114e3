//! Helps that name words to write and carry no fix, followed by hand: a kernel with the words
//! passes.
//!
//! A row is one kernel with the edits of its helps, and nothing else. Words are the pieces of a
//! help between backticks that are code: with `(`, `;`, `#` or `.`, where `..` stands for a part of
//! the author's.
//!
//! Each piece stands in one of the ways that the row gives: as it is, cut at each `..`, or in the
//! author's form, with names in place of those that the help makes up. A row names the pieces that
//! no text of its kernel can show, with a reason.

use super::law::{counted, findings, Finding};
use super::Broken;
use jumar::load::{check_text, KernelFile};
use jumar_dsl::diag::{Code, Diagnostic};
use std::collections::BTreeSet;

/// Replacements of texts, each of which stands once in its kernel.
type Edits = &'static [(&'static str, &'static str)];

/// A kernel whose helps were followed.
pub struct Row {
    /// Name of its file.
    pub kernel: &'static str,
    /// The ways that its helps offer.
    ways: &'static [Edits],
    /// Words with made-up names, and the author's form of them.
    said: Edits,
    /// Words that stand in none of the ways, and why.
    left: Edits,
}

const fn row(kernel: &'static str, ways: &'static [Edits]) -> Row {
    Row {
        kernel,
        ways,
        said: &[],
        left: &[],
    }
}

/// Returns the words to write of a help.
pub fn words(help: &str) -> impl Iterator<Item = &str> {
    let is_code = |piece: &&str| piece.replace("..", "").contains(['(', ';', '#', '.']);
    help.split('`').skip(1).step_by(2).filter(is_code)
}

/// Returns a help without the author's names. Helps with equal text are one kind.
pub fn kind(code: Code, help: &str) -> String {
    let parts: Vec<&str> = help.split('`').step_by(2).collect();
    format!("{code}: {}", parts.join("`_`"))
}

/// Returns the findings of a text that have words to write and no fix.
pub fn helped(file: &KernelFile) -> Vec<Finding<'_>> {
    let has_words = |f: &Finding<'_>| {
        f.diagnostic.fix.is_none()
            && f.diagnostic
                .help
                .iter()
                .any(|help| words(help).next().is_some())
    };
    findings(file).into_iter().filter(has_words).collect()
}

/// Returns the mistakes of a row: edits without a place, kernels that are refused, words that
/// nobody wrote.
pub fn wrong(row: &Row, broken: &Broken) -> Vec<String> {
    let Broken { name, text, chip } = broken;
    let before = check_text(name, text, *chip);
    let told = helped(&before);
    let said_by: Vec<&str> = told
        .iter()
        .flat_map(|f| &f.diagnostic.help)
        .flat_map(|help| words(help))
        .collect();
    let mut wrong = Vec::new();
    let mut texts = Vec::new();
    for edits in row.ways {
        match edited(text, edits) {
            Ok(text) => texts.push(text),
            Err(why) => wrong.push(why),
        }
    }
    wrong.extend(
        texts
            .iter()
            .filter_map(|text| refused(broken, &before, &told, text)),
    );
    wrong.extend(
        said_by
            .iter()
            .filter_map(|piece| unwritten(row, &texts, piece)),
    );
    let idle = row
        .said
        .iter()
        .chain(row.left)
        .filter(|(piece, _)| !said_by.contains(piece));
    wrong.extend(idle.map(|(piece, _)| format!("no help says `{piece}`")));
    wrong.extend(
        said_by
            .is_empty()
            .then(|| "no help without a fix has words".to_string()),
    );
    wrong.iter().map(|why| format!("{name}: {why}")).collect()
}

/// Applies edits to a text.
fn edited(text: &str, edits: Edits) -> Result<String, String> {
    edits.iter().try_fold(text.to_owned(), |text, (old, new)| {
        match text.matches(old).count() {
            1 => Ok(text.replacen(old, new, 1)),
            n => Err(format!("{n} times `{old}`")),
        }
    })
}

/// Returns why a text with the words does not pass: an error, a finding that is still there, or a
/// new one.
fn refused(
    broken: &Broken,
    before: &KernelFile,
    told: &[Finding<'_>],
    text: &str,
) -> Option<String> {
    // The words may ask for another chip. Then the text loses its first line, which names the chip.
    let chip = broken.chip.filter(|_| text.starts_with("//! chip: "));
    let after = check_text(&broken.name, text, chip);
    let stays = |d: &Diagnostic| {
        findings(&after)
            .iter()
            .any(|f| (f.diagnostic.code, &f.diagnostic.message) == (d.code, &d.message))
    };
    let had = counted(before);
    // J0415 is reported in right kernels alone.
    let is_new = |(code, n): (&Code, &usize)| {
        *code != Code::J0415 && *n > had.get(code).copied().unwrap_or(0)
    };
    let passes = !after.has_errors()
        && !told.iter().any(|f| stays(f.diagnostic))
        && !counted(&after).iter().any(is_new);
    (!passes).then(|| {
        format!(
            "with the words it is refused\n{}\n{text}",
            after.render(false)
        )
    })
}

/// Returns why words of a help count as not written.
fn unwritten(row: &Row, texts: &[String], piece: &str) -> Option<String> {
    if row.left.iter().any(|(left, _)| left == &piece) {
        return None;
    }
    let said = row
        .said
        .iter()
        .find(|(told, _)| told == &piece)
        .map(|(_, said)| *said);
    if let Some(said) = said.filter(|said| !has_names(said, piece)) {
        return Some(format!("`{said}` does not have the names of `{piece}`"));
    }
    let parts: Vec<String> = match said {
        Some(said) => vec![squeezed(said)],
        None => piece.split("..").map(squeezed).collect(),
    };
    let stands = texts
        .iter()
        .map(|text| squeezed(text))
        .any(|text| parts.iter().all(|part| text.contains(part.as_str())));
    (!stands).then(|| format!("`{piece}` stands in none of its ways"))
}

/// Removes white space.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// True if `said` has the names of functions, methods and attributes of the piece, in their order.
fn has_names(said: &str, piece: &str) -> bool {
    let mut names = fixed_names(said).into_iter();
    fixed_names(piece)
        .iter()
        .all(|name| names.any(|own| own == *name))
}

/// Returns the names that the language defines: of calls and attributes.
fn fixed_names(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let len = rest[start..]
            .find(|c| !is_word(c))
            .unwrap_or(rest.len() - start);
        let (before, behind) = (&rest[..start], &rest[start + len..]);
        if before.ends_with("#[") || behind.starts_with(['(', '[']) || behind.starts_with("::<") {
            names.push(&rest[start..start + len]);
        }
        rest = behind;
    }
    names
}

/// Returns the row of a kernel.
pub fn row_of(kernel: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.kernel == kernel)
}

/// Returns the kernels with two rows.
pub fn twice() -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    ROWS.iter()
        .map(|row| row.kernel)
        .filter(|kernel| !seen.insert(*kernel))
        .collect()
}

/// Rows of the kernels of `broken/`, and of one kernel for each kind of help that only other suites
/// have.
static ROWS: &[Row] = &[
    Row {
        left: &[("#[kernel]", "it names the macro that reads the same text; what stands before says what is missing")],
        ..row("J0100_expected_one_of_identifier_literal", &[])
    },
    row("J0102_is_not_defined", &[&[("    const A:", "    const B: f32 = 3.0;\n    const A:")]]),
    Row {
        said: &[(".of(16).groups(g).repeats(r)", ".of(16).groups(4).repeats(1)"), ("lanes(n).repeats(r)", "lanes(8).repeats(1)")],
        ..row(
            "J0103_range_of_lanes_without_groups",
            &[
                &[("lanes(0..8).repeats(1)", "lanes(0..8).of(16).groups(4).repeats(1)")],
                &[("lanes(0..8).repeats(1)", "lanes(8).repeats(1)")],
            ],
        )
    },
    Row {
        said: &[
            (".repeats(r)", ".repeats(1)"),
            ("lanes(a..b).of(16).groups(g).repeats(r)", "lanes(0..8).of(16).groups(1).repeats(1)"),
        ],
        ..row(
            "J0103_set_of_lanes_without_repeats",
            &[
                &[("lanes(8).of(8).groups(1).repeats(1)", "lanes(8).repeats(1)")],
                &[("lanes(8).of(8).groups(1).repeats(1)", "lanes(0..8).of(16).groups(1).repeats(1)")],
            ],
        )
    },
    Row {
        said: &[("#[shape(a.., m @ dim, b..)]", "#[shape(n.., d @ dim, m..)]")],
        ..row(
            "J0105_entries_of_the_form_in",
            &[
                &[("#[shape(n.., m..)]", "#[shape(n, m)]")],
                &[(
                    "#[shape(n.., m..)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>",
                    "#[shape(n.., d @ dim, m..)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, dim: i32",
                )],
            ],
        )
    },
    row("J0105_needs_literal_of_type", &[&[("#[default(true)]", "#[default(1)]"), (".load() * n", ".load() * n as f32")]]),
    Row {
        said: &[(".of(16).groups(g).repeats(r)", ".of(16).groups(4).repeats(1)")],
        ..row("J0106_expected_count_repeats_or_counter", &[&[("lanes(0..3)", "lanes(0..3).of(16).groups(4).repeats(1)")]])
    },
    row("J0106_groups_of_lanes_group_has", &[&[(".of(12)", ".of(16)")]]),
    Row {
        said: &[("v.max(w)", "v.max(c)")],
        ..row(
            "J0106_takes_argument_found",
            &[&[("v.max()", "v.max(c)")], &[("v.max()", "v.max(0.0)")], &[("v.max()", "v.amax(d)")]],
        )
    },
    Row {
        said: &[(
            "vec::whole_reduce_sum(&dst, &src, lanes(64).repeats(r))",
            "vec::whole_reduce_sum(&e1, &c1, lanes(64).repeats(1))",
        )],
        ..row(
            "J0106_takes_repeats_or_counter_mode",
            &[&[("vec::whole_reduce_sum(&e1, &c1, 64)", "vec::whole_reduce_sum(&e1, &c1, lanes(64).repeats(1))")]],
        )
    },
    row("J0106_the_lanes_of_group_are", &[&[(".of(k)", ".of(16)")]]),
    row(
        "J0109_of_tensor_of_not_offered",
        &[&[(
            "        y.at(t).store(x.at(t).load() * w.or_full(1).at(t).load().cast::<f32>());",
            concat!(
                "        let mut v = x.at(t).load();\n",
                "        if let Some(w) = w {\n",
                "            v = v * w.at(t).load().cast::<f32>();\n",
                "        }\n",
                "        y.at(t).store(v);"
            ),
        )]],
    ),
    row(
        "J0109_of_tensor_that_may_be",
        &[&[(
            "        y.at(t).store(x.at(t).load() * w.or_full(2.0).at(t).load_or(1.0));",
            concat!(
                "        let mut v = full(t, 2.0);\n",
                "        if let Some(w) = w {\n",
                "            v = w.at(t).load_or(1.0);\n",
                "        }\n",
                "        y.at(t).store(x.at(t).load() * v);"
            ),
        )]],
    ),
    row("J0201_of_mask_which_has_bits", &[&[("v.gt(0.0).dump(", "v.gt(0.0).select(1, 0).dump(")]]),
    row(
        "J0206_of_tiles_and",
        &[
            &[("w.at(r, ..)", "w.at(r, d.indices())")],
            &[
                ("#[shape(n, 2 * d)]", "#[shape(n, w_1 = 2 * d)]"),
                ("y: &mut", "#[shape(n, d, w_1)] y: &mut"),
                ("y.at(r, ..)", "y.at(r, .., ..)"),
                ("x.at(r, ..).load()", "x.at(r, ..).load().expand(w_1)"),
            ],
        ],
    ),
    row(
        "J0206_over_several_axes_it_gives",
        &[
            &[("v.argmax((r, d))", "v.argmax(d)")],
            &[(
                "        let u = v.argmax((r, d));\n    }",
                "    }\n    let k = new_axis(n * d);\n    let u = x.view(k).at(..).load().argmax(k);",
            )],
        ],
    ),
    row("J0206_tile_assigned_to_tile", &[&[("let mut m = c;", "let mut m = full((r, d), 0.0);")]]),
    row(
        "J0208_becomes_as_an_element_of",
        &[&[("full::<bf16>(t, 4.5e-41)", "(x.at(t).load().cast::<f32>() + 4.5e-41).cast::<bf16>()")]],
    ),
    row(
        "J0208_is_no_which_holds_to",
        &[&[("v.cast::<i32>() + 2147483648", "(v.cast::<i32>().cast::<f32>() + 2147483648.0).cast::<i32>()")]],
    ),
    row(
        "J0209_is_tile_of_this_index",
        &[
            &[("#[shape(n, d)] y", "#[shape(n, m)] y"), ("for c in tiles(d)", "for c in tiles(m)")],
            &[("#[shape(n, m)] x", "#[shape(n, d)] x")],
            &[("    for r in", "    require(d <= m);\n    for r in"), ("x.at(r, c)", "x.at(r, c + 0)")],
        ],
    ),
    row("J0209_tile_of_wants_tensor_with", &[&[("fn k(x:", "fn k(#[shape(n..)] x:"), ("#[shape(m)]", "#[shape(n..)]")]]),
    row("J0212_an_instance_of_dtypes_the", &[&[("#[instances((f16, f32, f32))]", "#[instances((f16, f32))]")]]),
    Row {
        said: &[("for (i, t) in tiles((each(k), n))", "for (i, t) in tiles((each(g), n))")],
        ..row(
            "J0214_is_merged_in_loop_under",
            &[
                &[
                    ("    let mut s = across_cores::<f32>((), 0.0);\n", ""),
                    ("        for t in", "        let mut s = across_cores::<f32>((), 0.0);\n        for t in"),
                ],
                &[
                    ("#[shape(g)] y", "#[shape(1)] y"),
                    (
                        concat!(
                            "    for i in 0..g {\n",
                            "        for t in tiles(n) {\n",
                            "            s += x.at(i, t).load().sum(t);\n",
                            "        }\n",
                            "        y.at(i).store(s);\n",
                            "    }"
                        ),
                        concat!(
                            "    for (i, t) in tiles((each(g), n)) {\n",
                            "        s += x.at(i, t).load().sum(t);\n",
                            "    }\n",
                            "    y.at(0).store(s);"
                        ),
                    ),
                ],
            ],
        )
    },
    Row {
        said: &[("full((), v)", "full((), 0.0)")],
        ..row(
            "J0214_nothing_is_merged_into",
            &[
                &[(
                    "y.at(t).store(x.at(t).load());",
                    "let v = x.at(t).load();\n        y.at(t).store(v);\n        s += v.sum(t);",
                )],
                &[("let mut s = across_cores::<f32>((), 0.0);", "let s = full((), 0.0);")],
            ],
        )
    },
    row(
        "J0215_of_tile_is_no_index",
        &[&[("x.at(r / 1, ..)", "x.at(r * 1 + 0, ..)")], &[("x.at(r / 1, ..)", "x.at(r.start() / 1, ..)")]],
    ),
    row("J0218_the_loop_that_appends_to", &[&[("tiles((b, n))", "tiles((each(b), n))")]]),
    row("J0301_the_queues_of_position_veccalc", &[&[("&mut b, 2, 32", "&mut b, 1, 32")]]),
    row("J0301_the_queues_of_position_vecin", &[&[("&mut a, 9, 32", "&mut a, 8, 32")]]),
    row("J0301_the_queues_of_position_vecout", &[&[("&mut a, 8, 32", "&mut a, 7, 32")]]),
    row(
        "J0302_row_does_not_fit_in",
        &[
            &[(
                "        y.at(r, ..).store(x.at(r, ..).load() * s);",
                concat!("        for c in tiles(d) {\n", "            y.at(r, c).store(x.at(r, c).load() * s);\n", "        }"),
            )],
            &[(
                "        let mut s = 2.0;\n        for _ in 0..3 {\n            s = s + 1.0;\n        }\n",
                "        let s = 2.0 + 3.0;\n",
            )],
        ],
    ),
    Row {
        said: &[("pipe.init_buffer(&mut a, 1, bytes)", "pipe.init_buffer(&mut a, 1, 256)")],
        ..row(
            "J0410_buffer_has_no_memory",
            &[&[("TBuf::<VecCalc>::new();\n", "TBuf::<VecCalc>::new();\n    pipe.init_buffer(&mut a, 1, 256);\n")]],
        )
    },
    Row {
        said: &[("pipe.init_buffer(&mut a, 2, bytes)", "pipe.init_buffer(&mut a, 2, 256)")],
        ..row("J0410_queue_has_no_memory", &[&[("pipe.init_buffer(&mut a, 1, 0);", "pipe.init_buffer(&mut a, 2, 256);")]])
    },
    row(
        "J0411_this_copy_loads_elements_of",
        &[&[("&t, y.slice(i * 60, 64)", "&t, y.slice(i * 64, 64)"), ("y.slice(i * 60, 64), &r", "y.slice(i * 64, 64), &r")]],
    ),
    row("J0411_this_copy_stores_elements_of", &[&[("i * 8, 16", "i * 16, 16")]]),
    row(
        "J0412_not_every_block_comes_to",
        &[
            &[("if get_block_idx() == 0 {", "if get_block_num() >= 2 {")],
            &[("        sync_all();\n    }\n", "    }\n    sync_all();\n")],
        ],
    ),
    row("J0502_ascend_has_no_syncall_in", &[&[("y: &mut", "#[inplace] y: &mut")]]),
    row(
        "J0502_one_element_is_no_data_block",
        &[
            &[("//! chip: ascend310p\n", ""), ("#[kernel]\n", "#[kernel]\n#[chips(ascend910b1)]\n")],
            &[
                (
                    "#[shape(1)] bias: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>",
                    "#[shape(n)] y: &mut GlobalTensor<f32>, bias: f32",
                ),
                ("    let b = bias.at(0).load();\n", ""),
                (".load() + b", ".load() + bias"),
            ],
        ],
    ),
    row(
        "J0505_every_block_stores_to_the",
        &[
            &[("#[shape(8)] y", "#[shape(n)] y"), ("y.slice(0, 8)", "y.slice(share.start(), share.len().min(64))")],
            &[(".unit(8);", ".unit(8).block_dim(1);")],
        ],
    ),
    row(
        "J0505_gets_what_the_picked_block",
        &[
            &[
                ("split(n).unit(8);", "split(n).unit(8).block_dim(8);"),
                (
                    concat!(
                        "    if get_block_idx() == 0 {\n",
                        "    } else {\n",
                        "        data_copy_pad(y.slice(4, 1), &p);\n",
                        "    }\n"
                    ),
                    "    data_copy_pad(y.slice(get_block_idx() * 8, 1), &p);\n",
                ),
            ],
            &[("split(n).unit(8);", "split(n).unit(8).block_dim(1);")],
        ],
    ),
    row("J0602_it_could_not_be_proved", &[&[("place.min(4000)", "place.max(0).min(4000)")]]),
    row(
        "maxima_that_are_added",
        &[
            &[(
                "y.at(..).atomic_add(x.at(r, ..).load().amax(r)); //- error: J0214",
                "let v = x.at(r, ..).load();\n        y.at(..).atomic_add(v.sum(r));",
            )],
            &[
                (
                    "    for r in tiles(n) {\n",
                    "    let mut s = across_cores::<f32>(d, f32::NEG_INFINITY);\n    for r in tiles(n) {\n",
                ),
                (
                    "y.at(..).atomic_add(x.at(r, ..).load().amax(r)); //- error: J0214",
                    "let v = x.at(r, ..).load();\n        s = s.max(v.amax(r));",
                ),
                ("    //+ y.at(..).store(m);", "    y.at(..).store(s);"),
            ],
        ],
    ),
    row(
        "means_that_are_added",
        &[
            &[(
                "y.at(..).atomic_add(x.at(r, ..).load().mean(r)); //- error: J0214",
                "let v = x.at(r, ..).load();\n        y.at(..).atomic_add(v.sum(r) * (1.0 / n as f32));",
            )],
            &[(
                "    for r in tiles(n) {\n        y.at(..).atomic_add(x.at(r, ..).load().mean(r));",
                "    for c in tiles(d) {\n        y.at(c).store(x.at(.., c).load().mean(n));",
            )],
        ],
    ),
    row(
        "turns_that_are_counted",
        &[&[(
            "count.at().atomic_add(full::<i32>((), 1)); //-",
            "let v = x.at(t).load().gt(0.0).select(1, 0);\n        count.at().atomic_add(v.sum(t)); //-",
        )]],
    ),
    Row {
        said: &[("n = tile.min(share.len() - i * tile)", "count = tile.min(share.len() - i * tile)")],
        ..row(
            "a_tile_for_each_block",
            &[
                &[
                    ("get_block_idx() * 64 + i * 64; //-", "share.start() + i * 64; //-"),
                    ("(share.len() - i * 64).min(64)", "tile.min(share.len() - i * tile)"),
                    ("    let share = split(n).unit(64);", "    let tile = 64;\n    let share = split(n).unit(64);"),
                ],
                &[(".unit(64)", ".unit(64).block_dim(1)"), ("get_block_idx() * 64 + i * 64; //-", "i * 64; //-")],
            ],
        )
    },
    Row {
        said: &[(".rows(r, pitch)", "x.slice(0, 20).rows(8, 32)")],
        ..row("gap_for_a_pitch", &[&[(".rows(8, 12)", ".rows(8, 32)")]])
    },
    row("place_behind_the_row", &[&[("v.pick(d, d)", "v.pick(d, d - 1)")], &[("v.pick(d, d)", "v.pick(d, d.iota())")]]),
    row(
        "place_that_was_read",
        &[
            &[
                (" s.at(k).load()); //-", " s.at(k.max(0).min(m - 1)).load()); //-"),
                ("        //+ y.at(t).store(x.at(t).load() * s.at(k.max(0).min(m - 1)).load());\n", ""),
            ],
            &[("scalar() as usize;", "scalar() as usize;\n    assume(0 <= k && k <= m - 1);")],
        ],
    ),
    row("quotient_that_is_rounded_up", &[&[("i.div_ceil(2), t", "i.div_ceil(2).min(n - 1), t")]]),
    row(
        "right_neighbour",
        &[&[
            ("#[shape(n - 1)]", "#[shape(y_0 = n - 1)]"),
            ("    for t in tiles(n) { //-", "    for t in tiles(y_0) { //-"),
            ("- x.at(t)", "- x.at(t + 0)"),
        ]],
    ),
    Row {
        said: &[("same.data_cache_clean_and_invalid(i)", "same.data_cache_clean_and_invalid(at)")],
        ..row(
            "copy_of_what_was_set",
            &[&[
                (
                    "        set_flag::<S_MTE2>(0);",
                    "        same.data_cache_clean_and_invalid(at);\n        set_flag::<S_MTE2>(0);",
                ),
                ("        //+ same.data_cache_clean_and_invalid(at);\n", ""),
            ]],
        )
    },
    row("bf16_on_an_inference_product", &[&[("#[instances(bf16)] //-", "#[instances(f16)]"), ("//+ #[instances(f16)]\n", "")]]),
    row(
        "scalar_of_each_core",
        &[&[
            (
                concat!(
                    "    let mut top = f32::NEG_INFINITY; //-\n",
                    "    for i in each(n) { //-\n",
                    "        top = top.max(x.at(i).load().scalar()); //-\n",
                    "    } //-\n"
                ),
                concat!(
                    "    let mut s = across_cores::<f32>((), 0.0);\n",
                    "    for i in each(n) {\n",
                    "        let v = x.at(i).load();\n",
                    "        s += v;\n",
                    "    }\n",
                    "    let top = s.scalar();\n"
                ),
            ),
            ("    //+ let top = merged.scalar();\n", ""),
        ]],
    ),
    Row {
        said: &[
            ("mask.select(a, b)", "v.gt(0.0).select(v, 0.0)"),
            ("mask.any(d)", "mask.any(n)"),
            ("mask.all(d)", "mask.all(n)"),
            ("mask.cast::<f32>()", "v.gt(0.0).cast::<f32>()"),
        ],
        ..row(
            "mask_that_is_multiplied",
            &[
                &[("v * v.gt(0.0));", "v.gt(0.0).select(v, 0.0));")],
                &[
                    ("v * v.gt(0.0));", "v * v.gt(0.0).cast::<f32>());"),
                    ("        //+ y.at(t).store(v * v.gt(0.0).cast::<f32>());\n", ""),
                ],
                &[(
                    "y.at(t).store(v * v.gt(0.0));",
                    "let mask = x.at(..).load().gt(0.0);\n        y.at(t).store(mask.any(n).select(v, 0.0));",
                )],
                &[(
                    "y.at(t).store(v * v.gt(0.0));",
                    "let mask = x.at(..).load().gt(0.0);\n        y.at(t).store(mask.all(n).select(v, 0.0));",
                )],
            ],
        )
    },
    row("whole_numbers_in_order", &[&[("v.sort(d)); //-", "v.pick(d, v.cast::<f32>().argsort(d))); //-")]]),
    row(
        "whole_numbers_to_half",
        &[&[(
            "        vec::cast(&y_local, &x_local, RoundMode::None, 64); //- error: J0204",
            concat!(
                "        vec::cast(&wide, &x_local, RoundMode::None, 64);\n",
                "        vec::cast(&y_local, &wide, RoundMode::Rint, 64);"
            ),
        )]],
    ),
    Row {
        said: &[("let y = x.clamp(-1.0, 1.0);", ".clamp(-1.0, 1.0)")],
        ..row("clamp_with_one_bound", &[&[(".clamp(-1.0))", ".clamp(-1.0, 1.0))")]])
    },
    Row {
        left: &[
            ("#[shape(..)]", "it names where the axes of this kernel come from"),
            ("let k = new_axis(64);", "an axis that is made is none of this tile's"),
        ],
        ..row("helper_given_a_tile_for_an_axis", &[&[("load(), r)); //-", "load(), d)); //-")]])
    },
    Row {
        said: &[(
            "for t in tiles(n) { y.append(v, mask); }",
            concat!(
                "for (i, t) in tiles((each(n), d)) {\n",
                "        y.append(x.at(i, t).load(), x.at(i, t).load().gt(0.0));\n",
                "    }"
            ),
        )],
        ..row(
            "appended_inside",
            &[&[(
                concat!(
                    "    for i in each(n) { //-\n",
                    "        for t in tiles(d) { //-\n",
                    "            let v = x.at(i, t).load(); //-\n",
                    "            y.append(v, v.gt(0.0)); //- error: J0218\n",
                    "        } //-\n",
                    "    } //-\n"
                ),
                concat!(
                    "    for (i, t) in tiles((each(n), d)) {\n",
                    "        y.append(x.at(i, t).load(), x.at(i, t).load().gt(0.0));\n",
                    "    }\n"
                ),
            )]],
        )
    },
    row(
        "ends_of_segments",
        &[
            &[("        //+ assume(0 <= lo && hi <= m);", "        assume(lo >= 0 && hi <= m);")],
            &[(
                "ends.at(i).load().scalar() as usize, ends.at(i + 1).load().scalar() as usize",
                "(ends.at(i).load().scalar() as usize).max(0), (ends.at(i + 1).load().scalar() as usize).min(m)",
            )],
        ],
    ),
    row(
        "float_as_an_index",
        &[&[
            ("let places = ids.at(t).load().cast::<f32>(); //-", "let places = ids.at(t).load();"),
            ("        //+ let places = ids.at(t).load();\n", ""),
        ]],
    ),
    Row {
        said: &[("let at = ids.at(..).load().max(0).min(m - 1);", "let at = ids.at(t).load().max(0).min(m - 1);")],
        ..row(
            "nobody_promised",
            &[
                &[
                    ("    #[shape(n)] ids: &GlobalTensor<i32>, //-", "    #[shape(n)] #[index(m)] ids: &GlobalTensor<i32>,"),
                    ("    //+ #[shape(n)] #[index(m)] ids: &GlobalTensor<i32>,\n", ""),
                ],
                &[(
                    "y.at(t, ..).store(table.at(ids.at(t).load(), ..).load());",
                    "let at = ids.at(t).load().max(0).min(m - 1);\n        y.at(t, ..).store(table.at(at, ..).load());",
                )],
            ],
        )
    },
    Row {
        said: &[("#[shape(n, ..)] x", "#[shape(n)] x")],
        left: &[("#[kernels] mod", "a size of a tensor is no constant")],
        ..row("J0102_axis_that_no_tensor_names", &[&[("k(x: &GlobalTensor<f32>", "k(#[shape(n)] x: &GlobalTensor<f32>")]])
    },
    row(
        "J0102_softmax_as_a_function",
        &[&[("softmax(v, -1)", "(v - v.amax(d)).exp() / (v - v.amax(d)).exp().sum(d)")]],
    ),
    row("J0103_std_of_a_row", &[&[("v.std(d)", "(v - v.mean(d)).square().mean(d).sqrt()")]]),
    Row {
        said: &[(".max(0).min(n - 1)", ".max(0).min(v - 1)")],
        ..row(
            "J0109_load_or_at_indices",
            &[
                &[("load_or(0.0)", "load()")],
                &[("load_or(0.0)", "load()"), ("ids.at(t).load()", "ids.at(t).load().max(0).min(v - 1)")],
            ],
        )
    },
    Row {
        said: &[("for x in zip(xs) { .. }", "for (x, y) in zip((xs, ys))")],
        ..row(
            "list_used_as_a_tensor",
            &[&[(
                concat!(
                    "    for (x, y) in zip((xs, ys)) {\n",
                    "        for t in tiles(n) {\n",
                    "            y.at(t).store(xs.at(t).load() * 2.0); //-"
                ),
                concat!(
                    "    for (x, y) in zip((xs, ys)) {\n",
                    "        for t in tiles(n) {\n",
                    "            y.at(t).store(x.at(t).load() * 2.0); //-"
                ),
            )]],
        )
    },
    Row {
        said: &[("y.at(..).atomic_add(v)", "y.at(0).atomic_add(s)"), ("y.at(..).store_any(v)", "y.at(0).store_any(s)")],
        ..row(
            "one_tensor_for_all_items",
            &[
                &[("y.at(0).store(s); //-", "y.at(0).atomic_add(s); //-"), ("        //+ y.at(0).atomic_add(s);\n", "")],
                &[("y.at(0).store(s); //-", "y.at(0).store_any(s); //-")],
                &[
                    ("#[shape(1)] #[inplace] y: &mut GlobalTensor<f32>", "#[shape(1)] ys: &mut [GlobalTensor<f32>]"),
                    ("for x in zip(xs)", "for (x, y) in zip((xs, ys))"),
                ],
            ],
        )
    },
    Row {
        said: &[("s.at().atomic_add(v)", "sum.at().atomic_add(s)")],
        ..row(
            "sum_kept_over_items",
            &[
                &[("    let mut s = across_cores::<f32>((), 0.0); //-\n", ""), ("        //+ let mut s", "        let mut s")],
                &[
                    ("#[shape(1)] ys: &mut [GlobalTensor<f32>]", "#[inplace] #[shape()] sum: &mut GlobalTensor<f32>"),
                    ("    let mut s = across_cores::<f32>((), 0.0); //-\n", ""),
                    ("    for (x, y) in zip((xs, ys)) {\n        //+ let mut s", "    for x in zip(xs) {\n        let mut s"),
                    ("        y.at(0).store(s);", "        sum.at().atomic_add(s);"),
                ],
            ],
        )
    },
    row("joined_with_a_mask_of_columns", &[&[("(rows & columns)", "(rows.select(1.0, 0.0).expand(d).gt(0.0) & columns)")]]),
    Row {
        said: &[("v.cast::<bool>()", "keep.at(t).load().cast::<bool>()")],
        ..row(
            "joined_with_numbers",
            &[
                &[("keep.at(t).load(); //-", "keep.at(t).load().gt(0.0); //-")],
                &[
                    ("keep.at(t).load(); //-", "keep.at(t).load().cast::<bool>(); //-"),
                    ("        //+ let m = v.gt(0.0) & keep.at(t).load().cast::<bool>();\n", ""),
                ],
            ],
        )
    },
    row(
        "asked_of_another_tensor",
        &[&[
            (
                "            scaled.at(r, ..).store(v * w.at(..).load()); //- error: J0103",
                concat!(
                    "            if let Some(scaled) = scaled {\n",
                    "                scaled.at(r, ..).store(v * w.at(..).load());\n",
                    "            }"
                ),
            ),
            (
                "\n        }\n        //+ else if",
                concat!(
                    "\n",
                    "        } else if let Some(scaled) = scaled {\n",
                    "            scaled.at(r, ..).store(v);\n",
                    "        }\n",
                    "        //+ else if"
                ),
            ),
        ]],
    ),
    row(
        "length_of_what_may_be_missing",
        &[&[(
            "let scale = 1.0 / w.len() as f32; //-",
            "let scale = if let Some(w) = w { 1.0 / w.len() as f32 } else { 1.0 }; //-",
        )]],
    ),
    row(
        "rows_stored_where_a_number_a_row_goes",
        &[&[("y.at(r).store(x.at(r, ..).load()); //-", "let v = x.at(r, ..).load();\n        y.at(r).store(v.sum(d)); //-")]],
    ),
    row("branches_of_two_shapes", &[&[("v.amax(d) } else { v", "v.amax(d).expand(d) } else { v")]]),
    row("branches_of_two_types", &[&[("{ v.exp() }; //-", "{ v.exp().cast::<f32>() }; //-")]]),
    Row {
        said: &[
            ("s + v.sum(t)", "c + v.sum(t)"),
            ("s * v.prod(t)", "c * v.prod(t)"),
            ("s.max(v.amax(t))", "c.max(v.amax(t))"),
            ("s.min(v.amin(t))", "c.min(v.amin(t))"),
        ],
        ..row(
            "flags_that_are_counted",
            &[
                &[("c += m.any(t).select(1, 0); //-", "let v = m.select(1, 0);\n        c = c + v.sum(t); //-")],
                &[("c += m.any(t).select(1, 0); //-", "let v = m.select(1, 0);\n        c = c * v.prod(t); //-")],
                &[("c += m.any(t).select(1, 0); //-", "let v = m.select(1, 0);\n        c = c.max(v.amax(t)); //-")],
                &[("c += m.any(t).select(1, 0); //-", "let v = m.select(1, 0);\n        c = c.min(v.amin(t)); //-")],
            ],
        )
    },
    row(
        "forgotten_a_little_each_turn",
        &[&[("s = s * 0.5 + x.at(j, t).load().sum(j); //-", "let v = x.at(j, t).load();\n            s = s + v.sum(j); //-")]],
    ),
    Row {
        said: &[("mask.select(a, b)", "v.gt(0.0).select(v, v * 0.0)")],
        ..row(
            "if_on_a_tile",
            &[&[("let u = if v.gt(0.0) { v } else { v * 0.0 }; //-", "let u = v.gt(0.0).select(v, v * 0.0); //-")]],
        )
    },
    row(
        "last_part_only",
        &[&[("s = x.at(j, t).load().sum(j); //-", "let v = x.at(j, t).load();\n            s = s + v.sum(j); //-")]],
    ),
    row(
        "J0102_unknown_name",
        &[&[
            (
                "const FACTOR: f32 = 2.0;\n\n#[kernel]\n",
                concat!(
                    "#[kernels]\n",
                    "mod scales {\n",
                    "use jumar::prelude::*;\n",
                    "\n",
                    "const FACTOR: f32 = 2.0;\n",
                    "\n",
                    "#[kernel]\n"
                ),
            ),
            ("use jumar::prelude::*;\n\nconst", "const"),
            ("fn main() {}", "}\n\nfn main() {}"),
        ]],
    ),
    row(
        "J0208_scalar_type",
        &[
            &[("x.at(t).load() * 0.5", "x.at(t).load() * 2")],
            &[("x.at(t).load() * 0.5", "(x.at(t).load().cast::<f32>() * 0.5).cast_trunc::<i32>()")],
        ],
    ),
];
