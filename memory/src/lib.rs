//! A bound on the memory that one thread holds.
//!
//! The drivers of databases believe what a server says of the length of its answers, and collect whatever it sends. A
//! server gone wrong could so take all memory, and where memory ends, Rust ends the process, with the results of all other
//! servers in it. With [`Bounded`] as the program's allocator, a thread that holds too much is told so before it gets more.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts for each thread what it holds.
///
/// What one thread takes and another gives back counts for the former alone, so that the bound can only strike too early.
#[derive(Clone, Copy, Debug)]
pub struct Bounded;

/// What happens to a thread that wants too much. It is called in the middle of an allocation, and can neither return nor
/// unwind: it ends the process, or stops the thread for good.
pub type Excess = fn() -> !;

/// Smaller wishes are granted in any case: where little is asked for, something may be locked.
const SMALL: usize = 4096;

thread_local! {
    // Neither has a destructor, so that they are there as long as the thread.
    static HELD: Cell<usize> = const { Cell::new(0) };
    static BOUND: Cell<Option<(usize, Excess)>> = const { Cell::new(None) };
}

/// Bounds what this thread may hold from now on, in bytes.
pub fn bound(most: usize, excess: Excess) {
    HELD.set(0);
    BOUND.set(Some((most, excess)));
}

/// Takes the bound of this thread away.
pub fn unbound() {
    BOUND.set(None);
}

fn take(bytes: usize) {
    let held = HELD.get().saturating_add(bytes);
    if bytes >= SMALL
        && let Some((most, excess)) = BOUND.get()
        && held > most
    {
        // Whatever the thread does at its end must not come here again.
        unbound();
        excess();
    }
    HELD.set(held);
}

fn give_back(bytes: usize) {
    HELD.set(HELD.get().saturating_sub(bytes));
}

// SAFETY: every request is handed to the system's allocator as it is. Counting allocates nothing and does not unwind.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match size.checked_sub(layout.size()) {
            Some(more) => take(more),
            None => give_back(layout.size() - size),
        }
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    use super::*;

    #[global_allocator]
    static ALLOCATOR: Bounded = Bounded;

    thread_local! {
        static TELL: Cell<Option<Sender<&'static str>>> = const { Cell::new(None) };
    }

    fn stop() -> ! {
        if let Some(tell) = TELL.take() {
            let _ = tell.send("stopped");
        }
        loop {
            std::thread::park();
        }
    }

    /// Runs something in a thread that may hold a mebibyte, and returns how it ended.
    fn run(work: fn()) -> &'static str {
        let (tell, told) = channel();
        std::thread::spawn(move || {
            TELL.set(Some(tell.clone()));
            bound(1 << 20, stop);
            work();
            unbound();
            let _ = tell.send("done");
        });
        told.recv_timeout(Duration::from_secs(10)).unwrap()
    }

    #[test]
    fn a_thread_that_wants_too_much_is_stopped_before_it_gets_it() {
        assert_eq!(run(|| drop(Vec::<u8>::with_capacity(1 << 40))), "stopped");
        assert_eq!(run(|| drop(std::hint::black_box(vec![0_u8; 2 << 20]))), "stopped");
    }

    #[test]
    fn much_in_small_pieces_is_much() {
        let hoard = || {
            let mut pieces = Vec::new();
            for _ in 0..10_000 {
                pieces.push(std::hint::black_box(vec![1_u8; 1000]));
            }
        };
        assert_eq!(run(hoard), "stopped");
        let grow = || {
            let mut text = String::new();
            while text.len() < 2 << 20 {
                text.push_str("growing ");
            }
        };
        assert_eq!(run(grow), "stopped");
    }

    #[test]
    fn what_is_given_back_does_not_count() {
        let use_and_drop = || {
            for _ in 0..100 {
                drop(std::hint::black_box(vec![1_u8; 512 << 10]));
            }
        };
        assert_eq!(run(use_and_drop), "done");
    }

    #[test]
    fn other_threads_are_not_bounded() {
        assert_eq!(run(|| drop(std::hint::black_box(vec![1_u8; 100]))), "done");
        drop(std::hint::black_box(vec![1_u8; 8 << 20]));
    }
}
