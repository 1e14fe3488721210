//! What becomes of a target whose thread panics, or wants more memory than one target may have: the others keep what they
//! have.

use std::cell::RefCell;
use std::panic::Location;

/// How a target was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// By a defect of this program, at this place.
    Defect(String),
    /// By wanting too much memory.
    Memory,
}

/// Tells the run that the target of this thread is lost.
type Tell = Box<dyn FnOnce(Loss)>;

thread_local! {
    static TELL: RefCell<Option<Tell>> = const { RefCell::new(None) };
}

/// What one target may hold, in bytes: many times what the largest catalogs take.
pub const MEMORY: usize = 1 << 30;

/// Says whom to tell if this thread panics, or holds too much.
pub(super) fn on_loss(tell: impl FnOnce(Loss) + 'static) {
    TELL.set(Some(Box::new(tell)));
    seadrift_memory::bound(MEMORY, lose_by_memory);
}

/// For a panic hook: if the thread that panics looks at a target of a run, tells the run, and never returns.
pub fn lose(location: Option<&Location<'_>>) {
    leave(|| Loss::Defect(location.map_or_else(|| "an unknown place".to_owned(), ToString::to_string)));
}

fn lose_by_memory() -> ! {
    leave(|| Loss::Memory);
    // Nobody is told who does not listen any more.
    stay()
}

/// Tells the run of a loss, if this thread looks at a target.
fn leave(loss: impl FnOnce() -> Loss) {
    let tell = TELL.try_with(|tell| tell.try_borrow_mut().ok().and_then(|mut tell| tell.take()));
    if let Ok(Some(tell)) = tell {
        tell(loss());
        stay();
    }
}

/// Leaves the thread where it is, since a program that aborts when something unwinds would lose the results of every
/// other target.
fn stay() -> ! {
    loop {
        std::thread::park();
    }
}
