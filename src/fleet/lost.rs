//! What becomes of a target whose thread panics: the others keep what they have.

use std::cell::RefCell;
use std::panic::Location;

/// Tells the run that the target of this thread is lost, and where.
type Tell = Box<dyn FnOnce(String)>;

thread_local! {
    static TELL: RefCell<Option<Tell>> = const { RefCell::new(None) };
}

/// Says whom to tell if this thread panics.
pub(super) fn on_panic(tell: impl FnOnce(String) + 'static) {
    TELL.set(Some(Box::new(tell)));
}

/// For a panic hook: if the thread that panics looks at a target of a run, tells the run, and never returns. The thread is
/// left where it is, since a program that aborts when something unwinds would lose the results of every other target.
pub fn lose(location: Option<&Location<'_>>) {
    let tell = TELL.try_with(|tell| tell.try_borrow_mut().ok().and_then(|mut tell| tell.take()));
    if let Ok(Some(tell)) = tell {
        tell(location.map_or_else(|| "an unknown place".to_owned(), ToString::to_string));
        loop {
            std::thread::park();
        }
    }
}
