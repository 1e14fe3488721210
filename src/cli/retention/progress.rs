//! What a trimming run shows while it is at work, on standard error: a bar on a terminal, lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use indicatif::{ProgressBar, ProgressStyle};

use super::trim::print_time;
use crate::cli::console::Console;
use crate::trim::Event;

/// How often a line is written where there is no bar.
const INTERVAL: Duration = Duration::from_secs(10);

const TEMPLATE: &str = "{bar:30} {percent:>3}% {msg} ({elapsed}, {eta} left)";

/// The progress of one run. How far it has come is told by the age of the rows, since counting them would take as long.
pub(super) struct Bar<'a> {
    console: &'a Console,
    bar: Option<ProgressBar>,
    first: Option<DateTime<Utc>>,
    said: Instant,
}

impl<'a> Bar<'a> {
    pub(super) fn new(console: &'a Console) -> Self {
        let shown = !console.is_quiet() && std::io::stderr().is_terminal();
        Self {
            console,
            bar: shown.then(ProgressBar::no_length),
            first: None,
            said: Instant::now(),
        }
    }

    /// Shows what the run is doing.
    pub(super) fn show(&mut self, event: &Event) {
        match event {
            Event::Waiting { at_most } => self.say(&format!(
                "waiting for another run on this ledger, at most {} s",
                at_most.as_secs_f64()
            )),
            Event::Started { cutoff, first } => {
                self.say(&format!("removing rows recorded before {}", print_time(*cutoff)));
                self.first = *first;
                if let (Some(bar), Some(first)) = (&self.bar, first) {
                    bar.set_length(span(*first, *cutoff));
                    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
                        bar.set_style(style);
                    }
                }
            }
            Event::Batch { deleted, through } => self.batch(*deleted, *through),
        }
    }

    fn batch(&mut self, deleted: u64, through: Option<DateTime<Utc>>) {
        let message = match through {
            Some(through) => format!("{deleted} rows removed, through {}", print_time(through)),
            None => format!("{deleted} rows removed"),
        };
        match &self.bar {
            Some(bar) => {
                if let (Some(first), Some(through)) = (self.first, through) {
                    bar.set_position(span(first, through));
                }
                bar.set_message(message);
            }
            None if self.said.elapsed() >= INTERVAL => self.say(&message),
            None => {}
        }
    }

    fn say(&mut self, line: &str) {
        self.said = Instant::now();
        let line = format!("{line}\n");
        match &self.bar {
            _ if self.console.is_quiet() => {}
            Some(bar) => bar.suspend(|| self.console.say(&line)),
            None => self.console.say(&line),
        }
    }

    /// Takes the bar off the screen.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn span(from: DateTime<Utc>, to: DateTime<Utc>) -> u64 {
    u64::try_from((to - from).num_milliseconds()).unwrap_or(0)
}
