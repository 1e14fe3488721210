use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::*;

const LONG: Duration = Duration::from_secs(60);

fn item(server: Option<&str>) -> Item {
    Item {
        server: server.map(str::to_owned),
        time: LONG,
    }
}

fn items(count: usize) -> Vec<Item> {
    vec![item(None); count]
}

fn limits(jobs: usize) -> Limits {
    Limits {
        jobs,
        per_server: jobs,
        run: None,
        retries: 0,
    }
}

fn done<T>(value: T) -> Tried<T> {
    Tried {
        value,
        passing: false,
        unreachable: false,
    }
}

fn never() -> bool {
    false
}

async fn sleep(milliseconds: u64) {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
}

#[test]
fn results_are_in_the_order_of_the_targets_whatever_is_done_first() {
    let work = |index: usize| async move {
        sleep(if index == 0 { 200 } else { 1 }).await;
        done(index)
    };
    let mut ended = Vec::new();
    let ends = run(&items(5), &limits(2), &never, work, &mut |event| {
        if let Event::Ended(index, _) = event {
            ended.push(index);
        }
    });
    assert_eq!(ends, (0..5).map(End::Done).collect::<Vec<_>>());
    assert_eq!(ended, [1, 2, 3, 4, 0], "a slow one holds up nobody");
}

#[test]
fn no_more_are_looked_at_than_is_allowed_in_all_and_of_one_server() {
    let servers = ["a", "b", "c"];
    let all: Vec<Item> = (0..60).map(|i| item(Some(servers[i % 3]))).collect();
    let now: Arc<[AtomicUsize; 4]> = Arc::default();
    let most: Arc<[AtomicUsize; 4]> = Arc::default();
    let (busy, peak) = (Arc::clone(&now), Arc::clone(&most));
    let work = move |index: usize| {
        let (busy, peak) = (Arc::clone(&busy), Arc::clone(&peak));
        async move {
            for place in [index % 3, 3] {
                let here = busy[place].fetch_add(1, Ordering::SeqCst) + 1;
                peak[place].fetch_max(here, Ordering::SeqCst);
            }
            sleep(5).await;
            for place in [index % 3, 3] {
                busy[place].fetch_sub(1, Ordering::SeqCst);
            }
            done(())
        }
    };
    let limits = Limits {
        per_server: 2,
        ..limits(5)
    };
    let ends = run(&all, &limits, &never, work, &mut |_| {});
    assert_eq!(ends.len(), 60);
    let most: Vec<usize> = most.iter().map(|most| most.load(Ordering::SeqCst)).collect();
    assert_eq!(most, [2, 2, 2, 5], "what is allowed is used, and no more");
}

#[test]
fn a_target_that_takes_too_long_ends_alone() {
    let mut all = items(3);
    all[1].time = Duration::from_millis(100);
    let work = |index: usize| async move {
        if index == 1 {
            std::future::pending::<()>().await;
        }
        done(index)
    };
    let start = Instant::now();
    let ends = run(&all, &limits(1), &never, work, &mut |_| {});
    assert_eq!(ends, [End::Done(0), End::TooLong, End::Done(2)]);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn a_thread_that_something_blocks_is_given_up() {
    let mut all = items(2);
    all[0].time = Duration::from_millis(50);
    let work = |index: usize| async move {
        if index == 0 {
            // Not asynchronously: the thread's own clock does not tick.
            std::thread::sleep(Duration::from_secs(30));
        }
        done(index)
    };
    let start = Instant::now();
    let ends = run(&all, &limits(1), &never, work, &mut |_| {});
    assert_eq!(ends, [End::TooLong, End::Done(1)]);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// Work whose attempts fail in passing until the given one succeeds; the value is the attempt.
fn flaky(good: usize) -> impl Fn(usize) -> std::future::Ready<Tried<usize>> + Send + Sync + 'static {
    let attempts = AtomicUsize::new(0);
    move |_| {
        let attempt = attempts.fetch_add(1, Ordering::SeqCst);
        std::future::ready(Tried {
            value: attempt,
            passing: attempt < good,
            unreachable: attempt < good,
        })
    }
}

#[test]
fn connecting_is_tried_anew_so_often_and_what_came_last_stands() {
    let with = |retries| Limits { retries, ..limits(1) };
    let one = [item(Some("a"))];
    assert_eq!(run(&one, &with(3), &never, flaky(1), &mut |_| {}), [End::Done(1)]);
    assert_eq!(run(&one, &with(2), &never, flaky(9), &mut |_| {}), [End::Done(2)]);
    assert_eq!(run(&one, &with(0), &never, flaky(9), &mut |_| {}), [End::Done(0)]);
    // What does not pass is not tried again.
    assert_eq!(run(&one, &with(3), &never, flaky(0), &mut |_| {}), [End::Done(0)]);
}

#[test]
fn a_new_attempt_is_not_made_beyond_the_targets_time() {
    let one = [Item {
        server: None,
        time: Duration::from_millis(300),
    }];
    let limits = Limits {
        retries: 10,
        ..limits(1)
    };
    // After 0.2 s there is a second attempt; the third would be after 0.8 s.
    assert_eq!(run(&one, &limits, &never, flaky(99), &mut |_| {}), [End::Done(1)]);
}

#[test]
fn who_waits_for_a_new_attempt_holds_up_nobody() {
    let all = [item(Some("a")), item(Some("b"))];
    let tried: Arc<Mutex<Vec<usize>>> = Arc::default();
    let log = Arc::clone(&tried);
    let work = move |index: usize| {
        log.lock().unwrap().push(index);
        std::future::ready(Tried {
            value: index,
            passing: index == 0,
            unreachable: index == 0,
        })
    };
    let limits = Limits {
        retries: 1,
        ..limits(1)
    };
    run(&all, &limits, &never, work, &mut |_| {});
    assert_eq!(*tried.lock().unwrap(), [0, 1, 0]);
}

#[test]
fn targets_of_a_server_in_trouble_come_last() {
    let all: Vec<Item> = ["down", "down", "down", "up", "up"].map(|name| item(Some(name))).into();
    let tried: Arc<Mutex<Vec<usize>>> = Arc::default();
    let log = Arc::clone(&tried);
    let work = move |index: usize| {
        log.lock().unwrap().push(index);
        std::future::ready(Tried {
            value: index,
            passing: false,
            unreachable: index < 3,
        })
    };
    let ends = run(&all, &limits(1), &never, work, &mut |_| {});
    assert_eq!(*tried.lock().unwrap(), [0, 3, 4, 1, 2]);
    assert_eq!(ends, (0..5).map(End::Done).collect::<Vec<_>>());
}

#[test]
fn a_wish_to_stop_ends_what_runs_and_keeps_what_is_done() {
    let asked = Arc::new(AtomicUsize::new(0));
    let (see, tell) = (Arc::clone(&asked), Arc::clone(&asked));
    let work = move |index: usize| {
        let tell = Arc::clone(&tell);
        async move {
            match index {
                0 => done(index),
                1 => Tried {
                    value: index,
                    passing: true,
                    unreachable: true,
                },
                _ => {
                    // By now the second one waits for another attempt.
                    sleep(50).await;
                    tell.store(1, Ordering::SeqCst);
                    std::future::pending().await
                }
            }
        }
    };
    let limits = Limits {
        retries: 9,
        ..limits(1)
    };
    let start = Instant::now();
    let ends = run(
        &items(4),
        &limits,
        &|| see.load(Ordering::SeqCst) == 1,
        work,
        &mut |_| {},
    );
    assert_eq!(ends, [End::Done(0), End::Done(1), End::Interrupted, End::Interrupted]);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn a_run_ends_with_its_time() {
    let work = |index: usize| async move {
        if index == 1 {
            std::future::pending::<()>().await;
        }
        done(index)
    };
    let limits = Limits {
        run: Some(Duration::from_millis(200)),
        ..limits(1)
    };
    let start = Instant::now();
    let ends = run(&items(3), &limits, &never, work, &mut |_| {});
    assert_eq!(ends, [End::Done(0), End::OutOfTime, End::OutOfTime]);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn a_panic_loses_its_own_target_alone() {
    let work = |index: usize| async move {
        assert!(index != 1, "a defect");
        done(index)
    };
    let ends = run(&items(3), &limits(2), &never, work, &mut |_| {});
    assert_eq!(ends[0], End::Done(0));
    assert!(matches!(ends[1], End::Lost(_)), "{:?}", ends[1]);
    assert_eq!(ends[2], End::Done(2));
}
