//! A model that knows only a grammar: it writes random texts, reproducible by their seed.

use super::drive::Model;
use super::prompt::Message;
use super::record::Key;
use super::task;
use super::told::Mask;
use crate::client::Reply;
use crate::walk::{Compiled, Engine};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The limit of cached grammars. Tasks come one after the other, and a few of them at a time.
const MOST_KEPT: usize = 8;

/// Random walks under a grammar.
pub struct Random {
    mask: Mask,
    seed: u64,
    engine: Engine,
    compiled: Mutex<BTreeMap<String, Compiled>>,
}

impl Random {
    /// Makes walks under a mask whose grammars are in Lark.
    ///
    /// # Errors
    /// Reports what the engine says.
    pub fn new(mask: Mask, seed: u64) -> Result<Random, String> {
        Ok(Random {
            mask,
            seed,
            engine: Engine::bytes()?,
            compiled: Mutex::default(),
        })
    }

    /// Returns the compiled grammar of a task, at its beginning.
    fn compiled(&self, name: &str) -> Result<Compiled, String> {
        let mut kept = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = kept.get(name) {
            return Ok(own.fresh());
        }
        let task = task(name).ok_or_else(|| format!("there is no task `{name}`"))?;
        let text = self
            .mask
            .of(task)?
            .ok_or("a random model needs a grammar")?;
        let own = self
            .engine
            .compiled(&text)
            .map_err(|why| format!("the grammar for {name}: {why}"))?;
        let fresh = own.fresh();
        if kept.len() == MOST_KEPT {
            kept.pop_first();
        }
        kept.insert(name.to_string(), own);
        Ok(fresh)
    }
}

impl Model for Random {
    fn reply(&self, key: &Key, _: &[Message]) -> Result<Reply, String> {
        let Key {
            task,
            sample,
            round,
        } = key;
        let seed =
            crate::tasks::run::hash(format!("{task}#{sample}.{round} of {}", self.seed).as_bytes());
        let walk = self.compiled(task)?.walk(seed)?;
        let finish = if walk.ended { "stop" } else { "length" };
        Ok(Reply {
            text: walk.text,
            finish: Some(finish.to_string()),
            tokens: None,
        })
    }
}
