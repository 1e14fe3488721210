//! The run: hands out targets to threads, and takes what they find.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::lost;
use super::queue::Queue;

/// How often the run looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// How much longer than its time a thread is waited for: it gives up by itself, unless something blocks it.
const GRACE: Duration = Duration::from_secs(2);

/// How long a target waits before the first new attempt to connect. Each further one waits three times as long.
const BACKOFF: Duration = Duration::from_millis(200);

/// How long threads that are told to stop are waited for: what they drop are connections, and commands for passwords.
const FAREWELL: Duration = Duration::from_millis(500);

/// The stack of a thread: as much as a program's first one has.
const STACK: usize = 8 << 20;

/// How much is done at once, and how long anything may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Targets at a time.
    pub jobs: usize,
    /// Targets of one server at a time.
    pub per_server: usize,
    /// For all of them together.
    pub run: Option<Duration>,
    /// New attempts to connect.
    pub retries: u32,
}

/// What the run must know of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its server, so that none gets more than its share; a file has none.
    pub server: Option<String>,
    /// How long it may take, new attempts to connect included.
    pub time: Duration,
}

/// What one attempt at a target came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried<T> {
    /// The result, which stands unless a further attempt replaces it.
    pub value: T,
    /// Whether connecting failed in a way that may be over in a moment.
    pub passing: bool,
    /// Whether the server could not be reached at all.
    pub unreachable: bool,
}

/// How a target ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<T> {
    /// It was looked at.
    Done(T),
    /// It took longer than one target may.
    TooLong,
    /// The run was over before it was looked at: it was asked to stop.
    Interrupted,
    /// The run was over before it was looked at: its time was up.
    OutOfTime,
    /// A defect of this program, at this place.
    Lost(String),
}

/// What happens in a run.
#[derive(Debug)]
pub enum Event<'a, T> {
    /// A target is looked at, for the first time or anew.
    Started(usize),
    /// A target has ended.
    Ended(usize, &'a End<T>),
}

/// What a thread says.
struct Message<T> {
    index: usize,
    attempt: u32,
    said: Result<Option<Tried<T>>, String>,
}

/// Where a target is.
enum State<T> {
    /// It waits for its turn; after an attempt with what that came to.
    Waiting(Option<T>),
    Running,
    Ended(End<T>),
}

struct Place<T> {
    state: State<T>,
    time: Duration,
    attempt: u32,
    /// When it was first looked at.
    since: Option<Instant>,
}

/// Looks at targets, each by `work` on a thread of its own with a runtime of its own, and returns how each ended, in
/// their order.
///
/// `is_over` is asked all the time whether to stop; then nothing more is started, and what runs is given up.
pub fn run<T, W, F>(
    items: &[Item],
    limits: &Limits,
    is_over: &dyn Fn() -> bool,
    work: W,
    watch: &mut dyn FnMut(Event<'_, T>),
) -> Vec<End<T>>
where
    T: Send + 'static,
    W: Fn(usize) -> F + Send + Sync + 'static,
    F: Future<Output = Tried<T>>,
{
    let (tell, hear) = channel();
    let now = Instant::now();
    let (quit, _) = watch::channel(false);
    let mut run = Run {
        quit,
        places: items.iter().map(Place::new).collect(),
        queue: Queue::new(items, limits.per_server.max(1), now),
        running: Vec::new(),
        limits,
        end: limits.run.and_then(|time| now.checked_add(time)),
        tell,
        work: Arc::new(work),
        watch,
    };
    run.finish(&hear, is_over);
    run.places
        .into_iter()
        .map(|place| match place.state {
            State::Ended(end) => end,
            State::Waiting(_) | State::Running => End::Interrupted,
        })
        .collect()
}

impl<T> Place<T> {
    fn new(item: &Item) -> Self {
        Self {
            state: State::Waiting(None),
            time: item.time,
            attempt: 0,
            since: None,
        }
    }
}

struct Run<'a, T, W> {
    /// Whether threads are to stop.
    quit: watch::Sender<bool>,
    places: Vec<Place<T>>,
    queue: Queue,
    running: Vec<usize>,
    limits: &'a Limits,
    end: Option<Instant>,
    tell: Sender<Message<T>>,
    work: Arc<W>,
    watch: &'a mut dyn FnMut(Event<'_, T>),
}

impl<T, W, F> Run<'_, T, W>
where
    T: Send + 'static,
    W: Fn(usize) -> F + Send + Sync + 'static,
    F: Future<Output = Tried<T>>,
{
    fn finish(&mut self, hear: &Receiver<Message<T>>, is_over: &dyn Fn() -> bool) {
        loop {
            let now = Instant::now();
            if is_over() {
                return self.stop(hear, || End::Interrupted);
            }
            if self.end.is_some_and(|end| now >= end) {
                return self.stop(hear, || End::OutOfTime);
            }
            self.write_off(now);
            while self.running.len() < self.limits.jobs.max(1)
                && let Some(index) = self.queue.next(now)
            {
                self.start(index, now);
            }
            if self.running.is_empty() && self.queue.is_empty() {
                return;
            }
            let until = [self.queue.next_time(now), self.end].into_iter().flatten().min();
            let time = until.map_or(GLANCE, |until| until.saturating_duration_since(now).min(GLANCE));
            match hear.recv_timeout(time) {
                Ok(message) => self.take(message),
                // This thread has the other end, too.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }

    fn start(&mut self, index: usize, now: Instant) {
        let place = &mut self.places[index];
        let since = *place.since.get_or_insert(now);
        let attempt = place.attempt;
        place.state = State::Running;
        let left = place.time.saturating_sub(now - since);
        let (tell, work, quit) = (self.tell.clone(), Arc::clone(&self.work), self.quit.subscribe());
        let thread = std::thread::Builder::new()
            .name("target".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let panicked = tell.clone();
                lost::on_panic(move |place| {
                    drop(panicked.send(Message {
                        index,
                        attempt,
                        said: Err(place),
                    }))
                });
                let said = catch_unwind(AssertUnwindSafe(|| block_on(left, quit, || work(index))));
                let said = said.unwrap_or_else(|_| Err("a place that is not known".to_owned()));
                // Nobody may listen any more.
                let _ = tell.send(Message { index, attempt, said });
            });
        self.running.push(index);
        match thread {
            Ok(_) => (self.watch)(Event::Started(index)),
            Err(error) => self.end(index, End::Lost(format!("the start of a thread: {error}"))),
        }
    }

    /// Takes what a thread says, unless its target was written off before.
    fn take(&mut self, message: Message<T>) {
        let Message { index, attempt, said } = message;
        let place = &mut self.places[index];
        if !matches!(place.state, State::Running) || place.attempt != attempt {
            return;
        }
        let tried = match said {
            Ok(Some(tried)) => tried,
            Ok(None) => return self.end(index, End::TooLong),
            Err(place) => return self.end(index, End::Lost(place)),
        };
        self.queue.note(index, tried.unreachable);
        let now = Instant::now();
        let from = now + BACKOFF * 3_u32.saturating_pow(attempt.min(8));
        let is_in_time = place.since.is_none_or(|since| from - since < place.time);
        if !tried.passing || attempt >= self.limits.retries || !is_in_time {
            return self.end(index, End::Done(tried.value));
        }
        place.attempt += 1;
        place.state = State::Waiting(Some(tried.value));
        self.leave(index);
        self.queue.put_back(index, from);
    }

    /// Gives up targets whose threads do not end by themselves.
    fn write_off(&mut self, now: Instant) {
        let is_late = |index: &usize| {
            let place = &self.places[*index];
            place.since.is_some_and(|since| now - since > place.time + GRACE)
        };
        let late: Vec<usize> = self.running.iter().copied().filter(is_late).collect();
        for index in late {
            self.end(index, End::TooLong);
        }
    }

    fn end(&mut self, index: usize, end: End<T>) {
        self.leave(index);
        (self.watch)(Event::Ended(index, &end));
        self.places[index].state = State::Ended(end);
    }

    fn leave(&mut self, index: usize) {
        if let Some(at) = self.running.iter().position(|running| *running == index) {
            self.running.swap_remove(at);
            self.queue.release(index);
        }
    }

    /// Tells the threads to stop, and takes what was found in the meantime.
    fn dismiss(&mut self, hear: &Receiver<Message<T>>) {
        self.quit.send_replace(true);
        let end = Instant::now() + FAREWELL;
        for _ in 0..self.running.len() {
            match hear.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) if matches!(message.said, Ok(Some(_))) => self.take(message),
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    /// Ends every target that has not ended. One that waits for a new attempt keeps what the last one came to.
    fn stop(&mut self, hear: &Receiver<Message<T>>, why: impl Fn() -> End<T>) {
        self.dismiss(hear);
        for index in 0..self.places.len() {
            let state = std::mem::replace(&mut self.places[index].state, State::Running);
            match state {
                State::Ended(end) => self.places[index].state = State::Ended(end),
                State::Waiting(Some(value)) => self.end(index, End::Done(value)),
                State::Waiting(None) | State::Running => self.end(index, why()),
            }
        }
    }
}

/// Runs one future to its end on this thread; nothing, if that takes too long, or the run is over.
fn block_on<T, F>(
    time: Duration,
    mut quit: watch::Receiver<bool>,
    future: impl FnOnce() -> F,
) -> Result<Option<T>, String>
where
    F: Future<Output = T>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the start of the asynchronous runtime: {error}"))?;
    let result = runtime.block_on(async {
        tokio::select! {
            result = tokio::time::timeout(time, future()) => result.ok(),
            _ = quit.wait_for(|quit| *quit) => None,
        }
    });
    // A driver's thread that hangs in a system call must not keep this one.
    runtime.shutdown_background();
    Ok(result)
}
