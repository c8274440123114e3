//! Instructions besides the vector calls: copies between GM and UB, and scalar access to both.

use super::contract::{self, Access, ViewRule};
use super::{
    family, Cost, Eval, ADDED_M200, ADDED_V220, ALL_M200, ALL_V220, INDICES, STORED_M200,
    STORED_V220,
};
use crate::soc::Space;

family!(Copy CopyOp {
    /// Rows from GM to UB, any number of bytes each; the rest of a row's last data block is filled.
    copy_in_pad => InPad("DataCopyPad") { v220: STORED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_IN] [Eval::Move] "data_copy_pad(&x_local, x.slice(at, n));"
    /// Rows from GM to UB, each behind `lead` elements of a number, less than a data block. That
    /// number also fills the row's last data block.
    copy_in_lead => InLead("DataCopyPad") { v220: ALL_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_IN_LEAD] [Eval::Move] "data_copy_pad(&x_local, x.slice(at, n).pad(0, 0.0));"
    /// Rows from GM to UB in whole data blocks.
    copy_in => In("DataCopy") { v220: STORED_V220, m200: STORED_M200, cost: Cost::Simple } [contract::COPY_IN] [Eval::Move] "data_copy(&x_local, x.slice(at, n));"
    /// Rows from UB to GM, any number of bytes each.
    copy_out_pad => OutPad("DataCopyPad") { v220: STORED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_OUT] [Eval::Move] "data_copy_pad(y.slice(at, n), &y_local);"
    /// Rows from UB to GM in whole data blocks.
    copy_out => Out("DataCopy") { v220: STORED_V220, m200: STORED_M200, cost: Cost::Simple } [contract::COPY_OUT] [Eval::Move] "data_copy(y.slice(at, n), &y_local);"
    /// Rows from UB, any number of bytes each, added to the contents of GM.
    copy_out_add_pad => AddPad("DataCopyPad") { v220: ADDED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_OUT_ADD] [Eval::Move] "atomic_add_pad(y.slice(at, n), &y_local);"
    /// Rows from UB in whole data blocks, added to the contents of GM.
    copy_out_add => Add("DataCopy") { v220: ADDED_V220, m200: ADDED_M200, cost: Cost::Simple } [contract::COPY_OUT_ADD] [Eval::Move] "atomic_add(y.slice(at, n), &y_local);"
    /// Rows from UB, any number of bytes each; GM keeps the larger of each element and its own.
    copy_out_max_pad => MaxPad("DataCopyPad") { v220: ADDED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_OUT_MAX] [Eval::Move] "atomic_max_pad(y.slice(at, n), &y_local);"
    /// Rows from UB in whole data blocks; GM keeps the larger of each element and its own.
    copy_out_max => Max("DataCopy") { v220: ADDED_V220, m200: &[], cost: Cost::Simple } [contract::COPY_OUT_MAX] [Eval::Move] "atomic_max(y.slice(at, n), &y_local);"
    /// Rows from UB, any number of bytes each; GM keeps the smaller of each element and its own.
    copy_out_min_pad => MinPad("DataCopyPad") { v220: ADDED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_OUT_MIN] [Eval::Move] "atomic_min_pad(y.slice(at, n), &y_local);"
    /// Rows from UB in whole data blocks; GM keeps the smaller of each element and its own.
    copy_out_min => Min("DataCopy") { v220: ADDED_V220, m200: &[], cost: Cost::Simple } [contract::COPY_OUT_MIN] [Eval::Move] "atomic_min(y.slice(at, n), &y_local);"
    /// Rows from UB, any number of bytes each, to a tensor that may stay unwritten in part.
    copy_out_pack_pad => PackPad("DataCopyPad") { v220: STORED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_OUT] [Eval::Move] ""
    /// Rows from UB to GM, any number of bytes each, where others may store equal values.
    copy_out_any_pad => AnyPad("DataCopyPad") { v220: STORED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_OUT_ANY] [Eval::Move] ""
    /// Rows from UB to GM in whole data blocks, where others may store equal values.
    copy_out_any => Any("DataCopy") { v220: STORED_V220, m200: STORED_M200, cost: Cost::Simple } [contract::COPY_OUT_ANY] [Eval::Move] ""
    /// Rows from UB to GM, any number of bytes each, where nothing else is stored.
    copy_out_disjoint_pad => DisjointPad("DataCopyPad") { v220: STORED_V220, m200: &[], cost: Cost::Simple, pads: true }
        [contract::COPY_OUT_DISJOINT] [Eval::Move] ""
    /// Rows from UB to GM in whole data blocks, where nothing else is stored.
    copy_out_disjoint => Disjoint("DataCopy") { v220: STORED_V220, m200: STORED_M200, cost: Cost::Simple } [contract::COPY_OUT_DISJOINT] [Eval::Move] ""
});

impl CopyOp {
    /// True where rows have any number of bytes (`DataCopyPad`), false where they are whole data
    /// blocks (`DataCopy`).
    pub const fn pads(self) -> bool {
        self.def().pads
    }

    /// Returns the access to GM.
    pub fn does(self) -> Access {
        let of_gm = |rule: &&ViewRule| rule.space == Space::Gm;
        self.def()
            .contract
            .views()
            .find(of_gm)
            .expect("a side of a copy lies in GM")
            .access
    }

    /// Returns the AscendC call that switches on joining with the contents of GM, `None` without
    /// joining.
    pub fn atomic(self) -> Option<&'static str> {
        match self.does() {
            Access::Add => Some("SetAtomicAdd"),
            Access::Max => Some("SetAtomicMax"),
            Access::Min => Some("SetAtomicMin"),
            Access::Read
            | Access::Write
            | Access::Any
            | Access::Disjoint
            | Access::Scratch
            | Access::Line => None,
        }
    }

    /// Orders the two sides with the destination first.
    pub fn in_order<T>(self, ub: T, gm: T) -> [T; 2] {
        match self.does().stores() {
            true => [gm, ub],
            false => [ub, gm],
        }
    }
}

family!(Scalar ScalarOp {
    /// An element of UB as a scalar.
    get_value => GetValue("GetValue") { v220: ALL_V220, m200: ALL_M200, cost: Cost::Simple } [contract::GET_VALUE] [Eval::Move] "let v = x_local.get_value(0);"
    /// An element of UB as an index.
    get_index => GetIndex("GetValue") { v220: INDICES, m200: INDICES, cost: Cost::Simple } [contract::GET_INDEX] [Eval::Move] ""
    /// An element of GM as a scalar, through the data cache of the core.
    get_global => GetGlobal("GetValue") { v220: ALL_V220, m200: ALL_M200, cost: Cost::Simple } [contract::GET_GLOBAL] [Eval::Move] "let v = x.get_value(0);"
    /// A scalar as an element of GM, in the data cache of the core: a line of 64 bytes that no
    /// other core sees.
    set_global => SetGlobal("SetValue") { v220: ALL_V220, m200: ALL_M200, cost: Cost::Simple } [contract::SET_GLOBAL] [Eval::Move] "y.set_value(0, v);"
    /// Writes a line of the data cache back, from an element to the end of the line, and drops it.
    data_cache_clean_and_invalid => CleanLine("DataCacheCleanAndInvalid") { v220: ALL_V220, m200: ALL_M200, cost: Cost::Simple } [contract::CLEAN_LINE] [Eval::Move] "y.data_cache_clean_and_invalid(0);"
    /// Shows rows of UB and changes nothing.
    dump_tensor => Dump("DumpTensor") { v220: STORED_V220, m200: STORED_M200, cost: Cost::Simple } [contract::DUMP] [Eval::Move] ""
    /// A scalar as an element of UB.
    set_value => SetValue("SetValue") { v220: ALL_V220, m200: ALL_M200, cost: Cost::Simple } [contract::SET_VALUE] [Eval::Move] "x_local.set_value(0, v);"
});
