//! Exit codes, and what happens when the program itself is wrong.

use std::io::Write as _;
use std::panic::{Location, PanicHookInfo};

/// Everything selected was fully checked, and nothing counts as drift.
pub const CLEAN: u8 = 0;
/// There is drift at or above `--fail-on`.
pub const DRIFT: u8 = 1;
/// The command line, the configuration or a spec is invalid, or the report cannot be written.
pub const USAGE: u8 = 2;
/// A target was unreachable, timed out, or could not be seen well enough to judge; no drift was seen.
pub const INCOMPLETE: u8 = 4;
/// [`DRIFT`] and [`INCOMPLETE`] together.
pub const DRIFT_AND_INCOMPLETE: u8 = 5;
/// The program has a bug.
pub const INTERNAL: u8 = 70;

/// Makes a panic of any thread end the process with [`INTERNAL`]; where it is one of many targets that is lost, when the
/// others are done.
///
/// The panic's own text is not printed: it can hold anything, even a database URL.
#[expect(
    clippy::disallowed_methods,
    reason = "a thread that panics has no other way to set the exit code"
)]
pub(super) fn end_on_panic() {
    std::panic::set_hook(Box::new(|panic: &PanicHookInfo<'_>| {
        // Nothing can be done if standard error is gone.
        let _ = std::io::stderr().write_all(apology(panic.location()).as_bytes());
        crate::fleet::lose(panic.location());
        std::process::exit(i32::from(INTERNAL));
    }));
}

fn apology(location: Option<&Location<'_>>) -> String {
    let place = location.map_or_else(|| "at an unknown place".to_owned(), |at| format!("at {at}"));
    format!(
        "error: internal error of seadrift {} {place}\n  \
         hint: this is a bug; please report this line with the command that you ran, without its passwords\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_apology_names_the_version_and_the_place() {
        let text = apology(Some(Location::caller()));
        assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
        assert!(text.contains("exit.rs:"), "{text}");
        assert!(text.contains("report"), "{text}");
    }

    #[test]
    #[ignore = "it is the program of the next test"]
    #[expect(
        clippy::disallowed_methods,
        reason = "the test runner would wait for the hook, in which the lost thread is"
    )]
    fn a_fleet_with_a_defect() {
        use crate::fleet::{End, Item, Limits, Tried, run};
        end_on_panic();
        let item = Item {
            server: None,
            time: std::time::Duration::from_secs(60),
        };
        let limits = Limits {
            jobs: 1,
            per_server: 1,
            run: None,
            retries: 0,
        };
        let work = |index: usize| async move {
            assert!(index != 0, "a defect");
            Tried {
                value: index,
                passing: false,
                unreachable: false,
            }
        };
        let ends = run(&[item.clone(), item], &limits, &|| false, work, &mut |_| {});
        assert_eq!(ends[1], End::Done(1));
        let End::Lost(place) = &ends[0] else { panic!("{ends:?}") };
        std::io::stderr()
            .write_all(format!("lost at {place}\n").as_bytes())
            .unwrap();
        std::process::exit(0);
    }

    #[test]
    fn a_target_that_is_lost_does_not_end_the_program() {
        let mut program = std::process::Command::new(std::env::current_exe().unwrap());
        let args = [
            "--exact",
            "cli::exit::tests::a_fleet_with_a_defect",
            "--ignored",
            "--nocapture",
        ];
        let output = program.args(args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("error: internal error of seadrift"), "{said}");
        assert!(said.contains("lost at src/cli/exit.rs:"), "{said}");
    }

    #[test]
    fn drift_and_incompleteness_are_bits() {
        assert_eq!(DRIFT | INCOMPLETE, DRIFT_AND_INCOMPLETE);
    }
}
