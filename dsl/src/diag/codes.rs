//! The table of diagnostic codes. A code is never used again for another mistake; its hundreds name
//! the phase.
//!
//! The long explanation of each code is a page in `explain/`, with a wrong and a right example that
//! tests compile.

use super::Severity;
use std::fmt;

macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $summary:literal)*) => {
        /// A stable diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $summary] $code),* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$code),*];

            /// Returns the code as text, `J0304`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$code => stringify!($code)),* }
            }
            /// Returns the name of the mistake: `UbOverBudget`.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$code => $name),* }
            }
            pub const fn summary(self) -> &'static str {
                match self { $(Code::$code => $summary),* }
            }
            pub const fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),* }
            }
            /// Returns the page of `jumar explain`.
            pub const fn explanation(self) -> &'static str {
                match self { $(Code::$code => include_str!(concat!("explain/", stringify!($code), ".md"))),* }
            }
        }
    };
}

codes! {
    J0100 "NotRust" Error "the file is not Rust"
    J0101 "UnsupportedSyntax" Error "Rust that a kernel may not contain"
    J0102 "UnknownName" Error "a name that is not defined in the kernel"
    J0103 "UnknownOp" Error "a method or function that does not exist"
    J0104 "BadSignature" Error "a parameter or return type that a kernel may not have"
    J0105 "BadAttribute" Error "a malformed or misplaced attribute"
    J0106 "WrongArguments" Error "wrong number or kind of arguments"
    J0107 "RecursiveHelper" Error "a helper function that calls itself"
    J0108 "MixedLevels" Error "tile level and queue level in one kernel"
    J0109 "BadLoop" Error "a tile loop where none may stand, or none at all"
    J0201 "DTypeMismatch" Error "operands of different element types"
    J0202 "StoreDType" Error "a tile stored to a tensor of another element type"
    J0203 "OpDType" Error "an element type that the op does not take on this chip"
    J0204 "NoSuchCast" Error "a cast pair that the chip does not have"
    J0205 "NoSuchRoundMode" Error "a round mode that this cast does not have"
    J0206 "ShapeMismatch" Error "tiles whose axes do not go together"
    J0207 "StoreShape" Error "a tile stored with the wrong axes"
    J0208 "ScalarType" Error "a scalar of the wrong type"
    J0209 "TensorShape" Error "an index of another axis than the one that the tensor has there"
    J0210 "OutputNotWritten" Error "an output that the kernel does not write"
    J0211 "WrongRole" Error "writing an input or reading an output"
    J0212 "BadInstances" Error "dtype instances that the bounds do not allow"
    J0213 "NotMutable" Error "assignment to something that is not `let mut`"
    J0214 "DependsOnTile" Error "a result that depends on the tile size"
    J0215 "NotAnIndex" Error "arithmetic on the tile of a loop that gives no index"
    J0216 "IndexOutside" Error "an index of a tile that may leave its tensor"
    J0217 "IndexTile" Error "a tile as an index whose elements nothing promises to be indices"
    J0218 "BadAppend" Error "an append where elements have no order, or beside other accesses"
    J0219 "OutputNotCovered" Error "an output with elements that no store reaches"
    J0220 "NotDeterministic" Error "a sum of floats whose order changes from run to run, in a kernel that is deterministic"
    J0301 "TooManyBlocks" Error "more than 8 queue blocks at one position"
    J0302 "RowDoesNotFit" Error "a row that does not fit in UB and cannot be streamed"
    J0303 "TooManyBuffers" Error "more than 64 buffers"
    J0304 "UbOverBudget" Error "queues and buffers that exceed UB"
    J0305 "BadTileLength" Error "a tile length, row count or buffer count that is not legal"
    J0306 "UnalignedCopy" Error "a DataCopy of a length that is not whole data blocks"
    J0307 "UnalignedTensor" Error "a UB sub-tensor that does not start at a data block"
    J0308 "GmOutOfBounds" Error "a GM access outside the tensor"
    J0309 "UbOutOfBounds" Error "a UB access past the end of the buffer"
    J0310 "BadCount" Error "a count, mask or stride that the op does not take"
    J0311 "OverlappingOperands" Error "a vector call that writes over what it still reads"
    J0401 "NotDequeued" Error "a tensor used before it went through its queue"
    J0402 "UseAfterFree" Error "a tensor used after free_tensor"
    J0403 "UseAfterEnque" Error "a tensor used after enque"
    J0404 "QueueDepth" Error "more enque in a row than the queue is deep"
    J0405 "NeverFreed" Error "a tensor that is never given back"
    J0406 "WrongPosition" Error "a copy or op on a tensor of the wrong position"
    J0407 "DequeEmpty" Error "a deque from a queue that holds nothing"
    J0408 "AllocBlocked" Error "an alloc that would wait for ever"
    J0409 "WrongQueue" Error "a tensor given to a queue that it is not from"
    J0410 "NoBuffer" Error "a queue or buffer without init_buffer"
    J0411 "UnorderedCopies" Error "copies of the same elements of GM that nothing orders"
    J0412 "MissedBarrier" Error "a barrier or flag of all blocks that not every one comes to equally often"
    J0413 "UnevenFlags" Error "a flag that is set and waited for unevenly"
    J0414 "UnorderedPipes" Error "accesses of two pipes to the same elements that nothing orders"
    J0415 "NeverRead" Warning "a result or a parameter that nothing reads"
    J0416 "CacheLine" Error "elements of GM that lie in the cache of a scalar unit, where others do not see them"
    J0501 "NoDType" Error "an element type that the chip does not have"
    J0502 "NoApi" Error "an API that the chip does not have"
    J0503 "BlockDim" Error "a block dim outside the limits"
    J0504 "UnknownChip" Error "a chip that is not in the table"
    J0505 "OverlappingStores" Error "stores of different blocks to the same elements"
    J0601 "NotHostKnown" Error "a size that the host cannot know"
    J0602 "UnprovedBounds" Warning "bounds that could not be proved and are checked at run time"
    J0603 "BadShape" Error "arguments whose shapes do not fit the signature"
    J0604 "RequireFailed" Error "a `require`d fact that does not hold"
    J0605 "BadArgument" Error "an argument that is missing, unknown or of the wrong dtype"
    J0606 "DoesNotFit" Error "a shape for which no tile fits in UB"
    J0801 "SimOutOfBounds" Error "the simulator met an access outside a tensor or buffer"
    J0802 "SimPoison" Error "the simulator met memory that was never written: a read of UB, or a gap in an output"
    J0803 "SimQueue" Error "the simulator met a misuse of a queue"
    J0804 "SimScalar" Error "the simulator met a scalar that cannot be computed"
    J0805 "NoCppCompiler" Error "no C++ compiler that can run AscendC on the CPU"
    J0806 "CppCompile" Error "AscendC text that the C++ compiler refuses"
    J0807 "CppArgument" Error "a call that the chip refuses, met on the CPU"
    J0808 "CppAssert" Error "an assertion of the kernel that failed on the CPU"
    J0809 "DataRace" Error "two accesses that nothing orders"
    J0810 "RunFlags" Error "flags that are set and waited for unevenly"
    J0811 "CppHang" Error "a kernel that waits for what never comes"
    J0812 "CppCrash" Error "C++ of the kernel that broke its own program"
    J0813 "BrokenAssumption" Error "numbers of a run for which an `assume` does not hold"
    J0814 "CutMatters" Error "a result that depends on how loops are cut"
    J0815 "Overflowed" Error "a result that is lost to a number on the way to it that left its type"
    J0816 "NoCann" Error "no installation of CANN, or a part of it that is not there"
    J0817 "DeviceCompile" Error "AscendC text that the device compiler refuses"
    J0818 "AclCall" Error "a call of CANN's runtime that failed, or work on the device that ended badly"
    J0819 "Undecided" Warning "elements of an output that another order of a sum may make others"
    J0901 "Approximate" Warning "an op whose hardware result is imprecise"
    J0902 "HalfSum" Warning "a long sum accumulated in 16 bits"
    J0903 "NanCompare" Warning "a value compared with itself by `ne`, which is 0 everywhere"
    J0904 "FloatPositions" Warning "integers that go through floats which do not hold them"
}

impl Code {
    /// Returns the entry of the code in the book: `book/src/reference/errors.md#j0304`.
    pub fn doc(self) -> String {
        format!(
            "book/src/reference/errors.md#{}",
            self.as_str().to_lowercase()
        )
    }

    /// Finds a code by its text, ignoring case.
    pub fn by_name(text: &str) -> Option<Code> {
        Self::ALL
            .iter()
            .copied()
            .find(|c| c.as_str().eq_ignore_ascii_case(text))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
