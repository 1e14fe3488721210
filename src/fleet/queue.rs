//! Whose turn it is.

use std::collections::BTreeMap;
use std::time::Instant;

use super::run::Item;

/// Targets that wait, and how busy and how well each server is.
pub(super) struct Queue {
    /// The server of each target; a target without one waits for nobody.
    servers: Vec<Option<usize>>,
    /// Targets in the order in which they are looked at, each with the time before which it is not.
    waiting: Vec<(usize, Instant)>,
    /// How many targets of each server are being looked at.
    busy: Vec<usize>,
    /// Servers to which no connection could be made at first.
    troubled: Vec<bool>,
    per_server: usize,
}

impl Queue {
    pub(super) fn new(items: &[Item], per_server: usize, now: Instant) -> Self {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        let numbers: Vec<Option<usize>> = items
            .iter()
            .map(|item| {
                let next = known.len();
                item.server
                    .as_deref()
                    .map(|server| *known.entry(server).or_insert(next))
            })
            .collect();
        Self {
            waiting: (0..items.len()).map(|index| (index, now)).collect(),
            busy: vec![0; known.len()],
            troubled: vec![false; known.len()],
            servers: numbers,
            per_server,
        }
    }

    /// Takes out the target that is next, if there is one that may be looked at now. Those of a server that is in trouble
    /// come last: they may take long, and the others must not wait for them.
    pub(super) fn next(&mut self, now: Instant) -> Option<usize> {
        let place = self.find(now, false).or_else(|| self.find(now, true))?;
        let (index, _) = self.waiting.remove(place);
        if let Some(server) = self.servers[index] {
            self.busy[server] += 1;
        }
        Some(index)
    }

    fn find(&self, now: Instant, troubled: bool) -> Option<usize> {
        self.waiting.iter().position(|(index, from)| {
            let may = |server: usize| self.busy[server] < self.per_server && self.troubled[server] == troubled;
            *from <= now && self.servers[*index].map_or(!troubled, may)
        })
    }

    /// Notes that nobody looks at a target any more.
    pub(super) fn release(&mut self, index: usize) {
        if let Some(server) = self.servers[index] {
            self.busy[server] = self.busy[server].saturating_sub(1);
        }
    }

    /// Puts a target that could not be connected to back, for later.
    pub(super) fn put_back(&mut self, index: usize, from: Instant) {
        self.waiting.push((index, from));
    }

    /// Notes whether connections to a target's server can be made.
    pub(super) fn note(&mut self, index: usize, in_trouble: bool) {
        if let Some(server) = self.servers[index] {
            self.troubled[server] = in_trouble;
        }
    }

    /// Returns the first time after `now` from which another target may be looked at.
    pub(super) fn next_time(&self, now: Instant) -> Option<Instant> {
        self.waiting
            .iter()
            .map(|(_, from)| *from)
            .filter(|from| *from > now)
            .min()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
