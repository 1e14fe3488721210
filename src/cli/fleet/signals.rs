//! Wishes to stop: the first ends the run and leaves its report, which it never cuts off; the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc;

use crate::cli::console::Console;

/// Whether somebody wants the run to stop.
#[derive(Debug, Default)]
pub(super) struct Stop(AtomicU8);

/// Nobody wants it to.
const RUNS: u8 = 0;
/// Somebody does; the report is still to come.
const ASKED: u8 = 1;
/// There is no run any more that could stop.
const OVER: u8 = 2;

impl Stop {
    /// Returns whether the run is to stop.
    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) == ASKED
    }

    /// Notes that the run is over, and its report is written.
    pub(super) fn is_over(&self) {
        // After a wish to stop, the next signal ends the program.
        let _ = self
            .0
            .compare_exchange(RUNS, OVER, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Listens for Ctrl-C and for the signal by which schedulers end a job, until the program ends.
pub(super) fn listen(console: &Console) -> Arc<Stop> {
    let stop = Arc::new(Stop::default());
    let (heard, is_quiet) = (Arc::clone(&stop), console.is_quiet());
    let (is_open, opened) = mpsc::channel();
    // Without it the system's own way is left: the first signal ends the program.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(hear(&heard, is_open, is_quiet));
        }
    });
    // A signal that comes with the first target must find somebody who listens. Where nobody will, this ends as well.
    let _ = opened.recv();
    stop
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever sends a second signal wants the end at once"
)]
async fn hear(stop: &Stop, is_open: mpsc::Sender<()>, is_quiet: bool) {
    let Some(mut signals) = Signals::open() else { return };
    let _ = is_open.send(());
    loop {
        let code = signals.next().await;
        let words = match stop.0.swap(ASKED, Ordering::Relaxed) {
            RUNS => "stopping: what is not done is reported as not checked; once more to stop at once\n",
            OVER => "stopping: the report is being written; once more to stop at once\n",
            _ => std::process::exit(code),
        };
        if !is_quiet {
            use std::io::Write as _;
            let _ = std::io::stderr().write_all(words.as_bytes());
        }
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn open() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Some(Self {
            interrupt: signal(SignalKind::interrupt()).ok()?,
            terminate: signal(SignalKind::terminate()).ok()?,
        })
    }

    /// Waits for a signal, and returns the exit code of a program that it ends.
    async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.interrupt.recv() => 130,
            _ = self.terminate.recv() => 143,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn open() -> Option<Self> {
        Some(Self)
    }

    async fn next(&mut self) -> i32 {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        130
    }
}
