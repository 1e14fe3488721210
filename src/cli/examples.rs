//! What stands below the help of each command. A test holds every line to the command line.

pub(super) const ALL: &str = "\
Examples:
  seadrift demo
  DATABASE_URL=postgres://app@db/asset seadrift check --spec specs/asset.yaml
  seadrift diff --url sqlite:ledger.db --spec specs/asset.yaml
  seadrift explain unique-missing

Exit codes:
  0   everything was checked, and nothing counts as drift
  1   drift at or above --fail-on
  2   the command line or a spec is invalid, or a report cannot be written
  4   incomplete: a target could not be reached or seen well enough; no drift
  5   drift, and incomplete
  70  internal error";

pub(super) const DEMO: &str = "\
Examples:
  seadrift demo
  seadrift demo --keep ledgers";

pub(super) const CHECK: &str = "\
Examples:
  DATABASE_URL=postgres://app@db/asset seadrift check --spec specs/asset.yaml
  seadrift check 'prod/*' --label env=prod
  seadrift check --format json --output drift.json --report html=drift.html
  seadrift check --baseline --fail-on warning";

pub(super) const DIFF: &str = "\
Examples:
  seadrift diff --url mysql://app@db/asset --spec specs/asset.yaml
  seadrift diff prod/asset";

pub(super) const DOCTOR: &str = "\
Examples:
  seadrift doctor --url postgres://app@db/asset
  seadrift doctor --grants --role seadrift_ro prod/asset";

pub(super) const RENDER: &str = "\
Examples:
  seadrift render drift.json
  seadrift render drift.json --report sarif=drift.sarif --report html=drift.html";

pub(super) const MERGE: &str = "\
Examples:
  seadrift merge part-1.json part-2.json --format json --output all.json";

pub(super) const EXPLAIN: &str = "\
Examples:
  seadrift explain unique-missing
  seadrift explain I002";

pub(super) const RULES: &str = "\
Examples:
  seadrift rules --format json
  seadrift rules --self-test";

pub(super) const MIGRATE: &str = "\
Examples:
  seadrift migrate status --service asset --url postgres://app@db/asset
  seadrift migrate up --service asset --url postgres://app@db/asset
  seadrift migrate down --service asset --url sqlite:asset.db --yes";

pub(super) const RETENTION: &str = "\
Examples:
  seadrift retention status --data prod/asset
  seadrift retention trim --dry-run prod/asset
  seadrift retention install --scheduler pg-cron --spec specs/asset.yaml";

pub(super) const CONFIG: &str = "\
Examples:
  seadrift config lint
  seadrift config show --origin 'prod/*'";

pub(super) const SPEC: &str = "\
Examples:
  seadrift spec lint specs
  seadrift spec pull --service asset --table 'Processed*' --output asset.yaml
  seadrift spec docs specs/asset.yaml";

pub(super) const WAIVER: &str = "\
Examples:
  seadrift waiver add drift.json --finding 1f2e3d4c --owner @team-assets \\
    --reason 'widening waits for the next release' --expires 2026-12-31
  seadrift waiver list drift.json --state expiring --state expired
  seadrift waiver prune drift.json --dry-run";

pub(super) const BASELINE: &str = "\
Examples:
  seadrift baseline create drift.json
  seadrift baseline prune drift.json";

pub(super) const VERIFY: &str = "\
Examples:
  seadrift verify
  seadrift verify --service asset --url postgres://app@localhost/scratch";

pub(super) const COMPLETIONS: &str = "\
Examples:
  seadrift completions zsh";

pub(super) const MAN: &str = "\
Examples:
  seadrift man
  seadrift man --dir ~/.local/share/man/man1";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::{Command, CommandFactory as _};

    use super::super::args::Cli;

    /// Splits a line of a shell into the words of the program: no assignments before it, no comment or redirection behind.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quote = None;
        for c in line.chars() {
            match (quote, c) {
                (None, ' ') => words.push(String::new()),
                (None, '\'' | '"') => quote = Some(c),
                (Some(open), c) if open == c => quote = None,
                _ => words.last_mut().unwrap().push(c),
            }
        }
        let words = words.into_iter().skip_while(|word| word != "seadrift");
        let ends = |word: &String| ["#", ">", "|"].contains(&word.as_str());
        words
            .take_while(|word| !ends(word))
            .filter(|word| !word.is_empty())
            .collect()
    }

    #[track_caller]
    fn assert_understood(place: &str, line: &str) {
        let words = words(line);
        assert!(!words.is_empty(), "{place}: {line}");
        if let Err(error) = Cli::command().try_get_matches_from(&words) {
            let shown = error.exit_code() == 0;
            assert!(shown, "{place}: {line}\n{error}");
        }
    }

    /// Calls `see` with each command of the program and its name.
    fn walk(command: &Command, see: &mut impl FnMut(&str, &Command)) {
        see(command.get_bin_name().unwrap_or("seadrift"), command);
        for inner in command.get_subcommands() {
            walk(inner, see);
        }
    }

    fn built() -> Command {
        let mut command = Cli::command();
        command.build();
        command
    }

    #[test]
    fn every_command_has_examples_that_the_program_understands() {
        for command in built().get_subcommands() {
            let name = command.get_name();
            let text = command.get_after_help().unwrap_or_default().to_string();
            let text = text.replace("\\\n", "");
            let lines: Vec<&str> = text.lines().filter(|line| line.contains("seadrift ")).collect();
            assert!(!lines.is_empty(), "{name} has no example");
            for line in lines {
                assert_understood(name, line);
                assert!(line.contains(&format!("seadrift {name}")), "{name}: {line}");
            }
        }
    }

    #[test]
    fn what_stands_below_the_help_fits_a_terminal_of_eighty_columns() {
        walk(&built(), &mut |name, command| {
            let text = command.get_after_help().unwrap_or_default().to_string();
            for rows in text.lines().collect::<Vec<_>>().windows(2) {
                // A row stands as it is written; a paragraph is one line, so that it wraps as a whole.
                let is_row = |line: &str| line.starts_with(' ');
                assert!(!is_row(rows[1]) || rows[1].chars().count() <= 80, "{name}: {}", rows[1]);
                let is_torn = !rows
                    .iter()
                    .any(|line| is_row(line) || line.is_empty() || line.ends_with(':'));
                assert!(!is_torn, "{name}: {rows:?}");
            }
        });
    }

    #[test]
    fn the_documents_show_commands_that_the_program_understands() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut seen = 0;
        for name in [
            "README.md",
            "CONTRIBUTING.md",
            "docs/config.md",
            "docs/formats.md",
            "docs/pipelines.md",
            "docs/result.md",
        ] {
            let text = std::fs::read_to_string(root.join(name)).unwrap();
            for line in text.lines().filter(|line| line.starts_with("$ ")) {
                if line.contains("seadrift ") {
                    assert_understood(name, line);
                    seen += 1;
                }
            }
        }
        assert!(seen > 20, "only {seen} commands were found");
    }
}
