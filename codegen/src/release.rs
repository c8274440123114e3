//! Releases of CANN, and the parts of emitted texts that some of them lack.
//!
//! [`FACTS`] is the only table. The emitter takes older forms from it. The README of a project and
//! `jumar doctor` print the result of [`needs`].
//!
//! The sources are the public headers and pages of four releases; the texts were compiled against
//! these headers. Releases between them were not read, so a fact may also hold for an earlier
//! release. A feature without an older form requires its release. The headers of the CPU build hide
//! what a release lacks where `ASCENDC_CPU_CANN` is its number: a text compiles there from its
//! least release on.

use crate::plan::Plan;
use crate::ProjectKind;
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{walk_stmts, Extent, Instr, Lowered, Promised, QueueStmt, StmtKind};
use jumar_dsl::ops::{CompoundOp, Op};
use jumar_dsl::soc::Arch;
use std::collections::BTreeSet;
use std::fmt;

/// A release of CANN whose public headers were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// CANN release 8.1.RC1.
    V8_1,
    /// CANN release 8.5.0.
    V8_5,
    /// CANN release 9.0.0.
    V9_0,
    /// CANN release 9.1.0, a beta.
    V9_1,
}

impl Release {
    /// Every release, the oldest first.
    pub const ALL: [Release; 4] = [Release::V8_1, Release::V8_5, Release::V9_0, Release::V9_1];

    /// Returns the name in the toolkit's spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Release::V8_1 => "8.1.RC1",
            Release::V8_5 => "8.5.0",
            Release::V9_0 => "9.0.0",
            Release::V9_1 => "9.1.0",
        }
    }

    /// Returns major and minor number as one, 801 for 8.1: the value of `ASCENDC_CPU_CANN` in the
    /// headers of the CPU build.
    pub const fn number(self) -> u32 {
        match self {
            Release::V8_1 => 801,
            Release::V8_5 => 805,
            Release::V9_0 => 900,
            Release::V9_1 => 901,
        }
    }

    /// True if a toolkit of this `version` is of this release or a later one; `None` where the
    /// text has no number.
    ///
    /// ```
    /// # use jumar_codegen::Release;
    /// assert_eq!(Release::V8_5.is_in("8.1.RC1"), Some(false));
    /// assert_eq!(Release::V8_5.is_in("8.5.0"), Some(true));
    /// assert_eq!(Release::V8_5.is_in("9.0.0-beta.2"), Some(true));
    /// assert_eq!(Release::V8_5.is_in("of today"), None);
    /// ```
    pub fn is_in(self, version: &str) -> Option<bool> {
        let mut numbers = version.split('.').map(|part| part.parse::<u32>().ok());
        let (major, minor) = (numbers.next()??, numbers.next()??);
        Some((major, minor) >= (self.number() / 100, self.number() % 100))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A part of emitted texts that is not the same in every release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Lists of tensors.
    Lists,
    /// Assertions for promises.
    Assertions,
    /// A product that is converted to another type, in counter mode.
    MulCastInCounterMode,
    /// Tensors at addresses.
    PlacedTensors,
    /// The state of the core without a TPipe.
    FreeInitSocState,
    /// Integers of 32 bits that are scaled to halves.
    Dequantised,
    /// A source with host and device code.
    AscSource,
    /// The build of an operator project.
    OperatorBuild,
    /// Blocks of an `.asc` source that wait for one another, and must therefore be started at once.
    ScheduleMode,
}

/// A feature, the release that introduced it, and its older form.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    pub feature: Feature,
    /// The name in a sentence.
    pub says: &'static str,
    /// Words of the emitted texts, build files included, that occur exactly where the feature is
    /// used.
    pub words: &'static [&'static str],
    /// The first release that compiles what is emitted.
    pub least: Release,
    /// The form for older releases, and the release of the newer form; `None` where there is one
    /// form.
    pub older: Option<(&'static str, Release)>,
    /// The sources: files of asc-devkit at 8.5.0, 9.0.0 and 9.1.0, and of the toolkit of 8.1.RC1.
    pub source: &'static str,
}

/// Every fact, in the order of [`Feature`].
pub const FACTS: &[Fact] = &[
    Fact {
        feature: Feature::Lists,
        says: "lists of tensors (`ListTensorDesc`)",
        words: &["ListTensorDesc"],
        least: Release::V8_1,
        older: None,
        source: "kernel_operator_list_tensor_intf.h of all four; kernel_operator.h includes it in none",
    },
    Fact {
        feature: Feature::Assertions,
        says: "assertions (`ascendc_assert`)",
        words: &["ascendc_assert("],
        least: Release::V8_1,
        older: Some(("`assert`, which takes a format there, too, where `ascendc_assert` is no macro", Release::V8_5)),
        source: "kernel_operator_dump_tensor_intf.h",
    },
    Fact {
        feature: Feature::MulCastInCounterMode,
        says: "`MulCast` in counter mode",
        words: &["// The number of elements, which MulCast sets."],
        least: Release::V8_1,
        older: Some(("the number in the low word of a mask, which the call sets, for the parameter `isSetMask`", Release::V8_5)),
        source: "kernel_operator_vec_mulcast_intf.h; MulCastCalc of dav_c220 and dav_m200",
    },
    Fact {
        feature: Feature::PlacedTensors,
        says: "tensors at addresses (`LocalTensor(TPosition, address, length)`)",
        words: &["(TPosition::"],
        least: Release::V8_5,
        older: None,
        source: "kernel_tensor.h",
    },
    Fact {
        feature: Feature::FreeInitSocState,
        says: "the free function `InitSocState`",
        words: &["InitSocState()"],
        least: Release::V8_5,
        older: None,
        source: "kernel_operator_common_intf.h; in 8.1.RC1 it is a private member of TPipe",
    },
    Fact {
        feature: Feature::Dequantised,
        says: "`CastDeq` of `int32_t`",
        words: &["CastDeq"],
        least: Release::V8_5,
        older: Some(("`CastDeq`, the older name of `CastDequant`", Release::V9_0)),
        source: "kernel_operator_vec_vconv_intf.h; CastDeqImpl of dav_c220 takes `int16_t` alone in 8.1.RC1",
    },
    Fact {
        feature: Feature::AscSource,
        says: "a source of host and device (`.asc`)",
        words: &["<<<"],
        least: Release::V8_5,
        older: None,
        source: "examples/00_introduction of 8.5.0: find_package(ASC), --npu-arch, __vector__; __mix__ in its pages",
    },
    Fact {
        feature: Feature::OperatorBuild,
        says: "the build of an operator project (`npu_op_package`)",
        words: &["npu_op_package("],
        least: Release::V8_5,
        older: None,
        source: "cmake/asc/fwk_modules/func.cmake of 8.5.0, all functions of which that the project calls; ascendc_kernel_cmake of 8.1.RC1 has none of them",
    },
    Fact {
        feature: Feature::ScheduleMode,
        says: "blocks that wait for one another (`__schedmode__`)",
        words: &["__schedmode__"],
        least: Release::V9_1,
        older: None,
        source: "page of SyncAll in 9.1.0; 9.0.0 and 8.5.0 do not have the word",
    },
];

impl Feature {
    /// Returns the row of the feature.
    pub fn fact(self) -> &'static Fact {
        &FACTS[self as usize]
    }
}

/// The requirements of a project on CANN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The least release that compiles it.
    pub release: Release,
    /// The rows of the table that it uses.
    pub features: BTreeSet<Feature>,
}

impl Needs {
    fn of(features: BTreeSet<Feature>) -> Needs {
        let release = features
            .iter()
            .map(|feature| feature.fact().least)
            .max()
            .unwrap_or(Release::V8_1);
        Needs { release, features }
    }

    /// Returns the features that require the release; empty where every release that was read
    /// compiles it.
    pub fn reasons(&self) -> Vec<&'static str> {
        let asks = |feature: &&Feature| {
            feature.fact().least == self.release && self.release > Release::V8_1
        };
        self.features
            .iter()
            .filter(asks)
            .map(|feature| feature.fact().says)
            .collect()
    }
}

impl fmt::Display for Needs {
    /// Prints a text such as `CANN 8.5.0 or later, for tensors at addresses (..)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CANN {} or later", self.release)?;
        match self.reasons()[..] {
            [] => Ok(()),
            ref reasons => write!(f, ", for {}", reasons.join(" and ")),
        }
    }
}

/// Finds the demands of a project of a kind on CANN.
pub fn needs(kernel: &CheckedKernel, kind: ProjectKind) -> Needs {
    of_plan(
        &Plan::new(
            kernel,
            &crate::EmitOptions {
                kind,
                ..Default::default()
            },
        ),
        kind,
    )
}

pub(crate) fn of_plan(plan: &Plan<'_>, kind: ProjectKind) -> Needs {
    let mut features = plan.features.clone();
    if plan.items {
        features.insert(Feature::Lists);
    }
    match kind {
        ProjectKind::Asc => {
            features.insert(Feature::AscSource);
            if plan.meets() && plan.chip.arch == Arch::V220 {
                features.insert(Feature::ScheduleMode);
            }
        }
        ProjectKind::Msopgen => {
            features.insert(Feature::OperatorBuild);
        }
        ProjectKind::Direct | ProjectKind::Torch => {}
    }
    Needs::of(features)
}

/// Finds the features of the statements of all variants, and of the state of the core without a
/// TPipe. Lists are a feature of the kernel function.
pub(crate) fn of_bodies(instances: &[Lowered], has_pipe: bool) -> BTreeSet<Feature> {
    let mut features = BTreeSet::new();
    for variant in instances.iter().flat_map(|lowered| &lowered.variants) {
        walk_stmts(&variant.body.stmts, &mut |s| features.extend(of_stmt(s)));
    }
    if !has_pipe && features.contains(&Feature::PlacedTensors) {
        features.insert(Feature::FreeInitSocState);
    }
    features
}

fn of_stmt(stmt: &Stmt) -> Option<Feature> {
    match &stmt.kind {
        StmtKind::Do(QueueStmt::Place { .. }) => Some(Feature::PlacedTensors),
        StmtKind::Promise {
            what: Promised::Fact { .. } | Promised::Index { of: Some(_), .. },
        } => Some(Feature::Assertions),
        StmtKind::Do(QueueStmt::Instr { instr }) => of_call(instr),
        // These texts compile in every release that was read.
        StmtKind::Promise {
            what: Promised::Index { of: None, .. },
        }
        | StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::For { .. }
        | StmtKind::If { .. }
        | StmtKind::Do(
            QueueStmt::Get { .. }
            | QueueStmt::View { .. }
            | QueueStmt::Queue { .. }
            | QueueStmt::Call { .. }
            | QueueStmt::Sync { .. }
            | QueueStmt::Reset { .. }
            | QueueStmt::Host { .. },
        ) => None,
    }
}

fn of_call(instr: &Instr) -> Option<Feature> {
    match instr.op {
        Op::Compound(CompoundOp::MulCast) => {
            matches!(instr.extent, Extent::Counter { .. }).then_some(Feature::MulCastInCounterMode)
        }
        Op::Compound(CompoundOp::CastDequant) => Some(Feature::Dequantised),
        Op::Compound(
            CompoundOp::AddRelu
            | CompoundOp::SubRelu
            | CompoundOp::LeakyRelu
            | CompoundOp::Axpy
            | CompoundOp::MulAddDst
            | CompoundOp::FusedMulAdd
            | CompoundOp::FusedMulAddRelu
            | CompoundOp::AddReluCast
            | CompoundOp::SubReluCast,
        )
        | Op::Binary(_)
        | Op::BinaryScalar(_)
        | Op::Unary(_)
        | Op::Compare(_)
        | Op::CompareScalar(_)
        | Op::Reduce(_)
        | Op::AxisReduce(_)
        | Op::Partial(_)
        | Op::Layout(_)
        | Op::Mask(_)
        | Op::Bit(_)
        | Op::Shift(_)
        | Op::Scan(_)
        | Op::Copy(_)
        | Op::Scalar(_) => None,
    }
}
