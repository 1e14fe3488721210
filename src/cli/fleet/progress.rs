//! How far a run has come, on standard error: a bar on a terminal, a line per target elsewhere.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::console::Console;
use crate::fleet::{End, Event};
use crate::text::Terminal;

const TEMPLATE: &str = "{bar:30} {pos}/{len} {wide_msg} ({elapsed})";

/// The progress of one run. Of a single target nothing is shown.
pub(super) struct Progress<'a> {
    console: &'a Console,
    names: Vec<&'a str>,
    bar: Option<ProgressBar>,
    /// The targets that are looked at, oldest first.
    running: Vec<usize>,
    ended: usize,
}

impl<'a> Progress<'a> {
    pub(super) fn new(names: Vec<&'a str>, console: &'a Console) -> Self {
        let is_shown = names.len() > 1 && !console.is_quiet() && std::io::stderr().is_terminal();
        let bar = is_shown.then(|| {
            let bar = ProgressBar::new(names.len() as u64);
            if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
                bar.set_style(style);
            }
            bar
        });
        Self {
            console,
            names,
            bar,
            running: Vec::new(),
            ended: 0,
        }
    }

    /// Shows what happened.
    pub(super) fn show<T>(&mut self, event: &Event<'_, T>, describe: impl Fn(&T) -> String) {
        match event {
            Event::Started(index) => self.running.push(*index),
            Event::Ended(index, end) => {
                self.running.retain(|running| running != index);
                self.ended += 1;
                if self.bar.is_none() {
                    self.say(*index, end, describe);
                }
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.ended as u64);
            // The one that takes longest is what people wait for.
            let oldest = self
                .running
                .first()
                .map(|index| Terminal(self.names[*index]).to_string());
            bar.set_message(oldest.unwrap_or_default());
        }
    }

    fn say<T>(&self, index: usize, end: &End<T>, describe: impl Fn(&T) -> String) {
        let all = self.names.len();
        if all < 2 || self.console.is_quiet() {
            return;
        }
        let words = match end {
            End::Done(value) => describe(value),
            End::TooLong => "took too long".to_owned(),
            End::Interrupted | End::OutOfTime => "not checked".to_owned(),
            End::Lost(_) => "internal error".to_owned(),
        };
        let name = Terminal(self.names[index]);
        let width = all.to_string().len();
        self.console
            .say(&format!("{:width$}/{all} {name}: {words}\n", self.ended));
    }

    /// Takes the bar off the screen.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
