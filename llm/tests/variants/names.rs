//! Variants with other names.

use super::draft::Draft;
use super::kinds::typed;
use super::text::{flat, names, words};
use jumar_llm::tasks::data::Random;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// Words that an author may take: ops and functions of the language, short ones, ones with digits,
/// words of C++ and AscendC.
const POOL: &str = "exp ln sqrt load store at sum amax amin select cast iota scalar pick expand max min abs mean topk sort wide indices \
    argmax atomic_add any all view len start end append dump library kernel shape index list inplace instances \
    a b c d e f g h i j k l m n o p q r s t u v w x y z \
    x1 x2 v0 t0 n10 a1b2 x_1 d_2 k3v r2d2 q8_0 b16 i8x \
    int float double half char short long unsigned class new delete template this operator namespace register auto default switch \
    case void std main printf size_t nullptr and or not xor inline typename union \
    tiling tiling_data workspace_size pipe que_in x_gm x_local block_idx block_dim get_block_idx tile_length tile_num process init \
    copy_in copy_out compute vec_in gm_addr set_flag data_copy duplicate muls tail loop_count event_id ub acl stream kernel_operator \
    num rows cols batch hidden seq_len head_dim scale0 tmp res out_ result_value the_number_of_rows_that_are_left";

/// Renames every name, at all of its places.
pub fn rename(draft: &mut Draft) -> bool {
    let functions: Vec<String> = draft
        .functions()
        .iter()
        .map(|f| f.sig.ident.to_string())
        .collect();
    let bound = bound(draft);
    let known = words(&draft.module);
    let mut free: Vec<&str> = POOL
        .split_whitespace()
        .filter(|word| !known.contains(*word))
        .collect();
    let mut other = |names: Vec<String>, random: &mut Random| {
        let mut found = BTreeMap::new();
        for name in names {
            if !free.is_empty() {
                let at = random.below(free.len() as u64) as usize;
                found.insert(name, free.swap_remove(at).to_string());
            }
        }
        found
    };
    let variables = other(bound.into_iter().collect(), &mut draft.random);
    let functions = other(functions, &mut draft.random);
    draft.rename(&variables, &functions);
    true
}

/// Exchanges some names of the kernel, so that each has a meaning that another author would not
/// expect.
pub fn exchange(draft: &mut Draft) -> bool {
    let mut all: Vec<String> = bound(draft).into_iter().collect();
    let mut variables = BTreeMap::new();
    while all.len() >= 2 && variables.len() < 6 {
        let a = all.swap_remove(draft.random.below(all.len() as u64) as usize);
        let b = all.swap_remove(draft.random.below(all.len() as u64) as usize);
        variables.insert(a.clone(), b.clone());
        variables.insert(b, a);
    }
    draft.rename(&variables, &BTreeMap::new());
    !variables.is_empty()
}

/// Returns the names that the module binds: parameters, axes, variables, and element types that are
/// used as they are.
fn bound(draft: &Draft) -> BTreeSet<String> {
    struct Bound(BTreeSet<String>);
    impl<'a> Visit<'a> for Bound {
        fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
            self.0.insert(pat.ident.to_string());
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut found = Bound(BTreeSet::new());
    for function in draft.functions() {
        found.visit_item_fn(function);
        for param in function.sig.inputs.iter().filter_map(typed) {
            for attr in param
                .attrs
                .iter()
                .filter(|attr| attr.path().is_ident("shape") || attr.path().is_ident("index"))
            {
                if let syn::Meta::List(list) = &attr.meta {
                    found.0.extend(names(&list.tokens));
                }
            }
        }
        if !flat(&draft.module).contains("T::") {
            found.0.extend(
                function
                    .sig
                    .generics
                    .type_params()
                    .map(|param| param.ident.to_string()),
            );
        }
    }
    found.0
}
