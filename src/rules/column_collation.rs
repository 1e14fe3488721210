//! A text column whose collation or character set changes what is equal or what can be stored.

use crate::compare::ColumnPair;
use crate::dialect::is_text;
use crate::finding::Severity;
use crate::schema::{Aspect, Collation, Column, DataType, Equality};
use crate::spec::{ColumnSpec, CompareSpec, DesiredType, Wanted};

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::repair::{self, Change};
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C012",
    name: "column-collation",
    severity: Severity::Critical,
    summary: "a text column's collation or character set changes what is equal or storable",
    page: include_str!("column_collation.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| {
        let collation = ground.column("EventType").collation.as_mut();
        collation.expect("a text column has a collation").equality = Equality::CaseInsensitive;
    }),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    let found = observed.collation.as_ref();
    if desired.collation.value.is_unconfirmed() || desired.compare.value.is_unconfirmed() {
        list_open(desired, found, ctx, sink);
    }
    let Some(found) = found.filter(|_| is_text(&observed.ty.data)) else {
        if is_stated(desired) && !ctx.table().sees(Aspect::Collation) {
            unseen(desired, "The server did not show the column's collation.", ctx, sink);
        }
        return;
    };
    let subject = Subject {
        desired,
        observed,
        found,
        usual: desired_type(desired, ctx).and_then(|wanted| ctx.facts.usual_collation(&wanted)),
        unique_key: is_unique_key(&observed.name, ctx),
        ctx,
    };
    if is_stated(desired) && subject.compares_unknown() {
        let reason = format!(
            "What the collation {} takes for equal is not known to this program.",
            found.name
        );
        unseen(desired, &reason, ctx, sink);
    }
    // One column has one collation: the worst that can be said of it is said.
    if let Some(judgement) = subject.judge() {
        sink.report(subject.draft(judgement));
    }
}

fn is_stated(desired: &ColumnSpec) -> bool {
    desired.collation.value.stated().is_some() || desired.compare.value.stated().is_some()
}

fn list_open(desired: &ColumnSpec, found: Option<&Collation>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let at = if desired.collation.value.is_unconfirmed() {
        desired.collation.at
    } else {
        desired.compare.at
    };
    let object = ctx.path().column(&desired.name.value).aspect(Aspect::Collation);
    let found = found.map_or_else(|| "none".to_owned(), |collation| collation.name.clone());
    sink.open(object, desired.collation.value.guess().cloned(), found, at);
}

fn unseen(desired: &ColumnSpec, reason: &str, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    sink.unverified(
        ctx.path().column(&desired.name.value).aspect(Aspect::Collation),
        reason,
        "Compare two texts that differ in letter case on the server, or give the column a well-known collation.",
        true,
    );
}

fn desired_type(desired: &ColumnSpec, ctx: &Context<'_>) -> Option<DesiredType> {
    desired.ty.value.guess()?.on(ctx.dialect())
}

/// Returns whether a column is part of a unique key, there or wanted. What its collation does to the key is said of
/// the key.
fn is_unique_key(column: &str, ctx: &Context<'_>) -> bool {
    let observed = ctx
        .table()
        .indexes
        .iter()
        .filter(|index| index.unique && !index.primary);
    let wanted = ctx.desired().indexes.iter().filter(|index| index.unique.value);
    observed
        .flat_map(|index| &index.key)
        .any(|part| part.as_column() == Some(column))
        || wanted
            .filter_map(|index| index.columns())
            .flatten()
            .any(|name| ctx.facts.same_name(name, column))
}

/// A text column and what is known of its collation.
struct Subject<'a> {
    desired: &'a ColumnSpec,
    observed: &'a Column,
    found: &'a Collation,
    usual: Option<Collation>,
    unique_key: bool,
    ctx: &'a Context<'a>,
}

/// What is wrong, in the terms of the message.
struct Judgement {
    severity: Severity,
    expected: Option<String>,
    what: String,
    impact: &'static str,
}

impl Subject<'_> {
    fn compares_unknown(&self) -> bool {
        self.found.equality == Equality::Unknown && self.desired.compare.value.stated().is_some()
    }

    fn judge(&self) -> Option<Judgement> {
        self.another_name()
            .or_else(|| self.another_comparison())
            .or_else(|| self.uuid_as_text())
            .or_else(|| self.part_of_unicode())
            .or_else(|| self.explicit())
    }

    /// The spec names a collation, and this is another one.
    fn another_name(&self) -> Option<Judgement> {
        let wanted = self.desired.collation.value.stated()?;
        (*wanted != self.found.name).then(|| Judgement {
            severity: Severity::Error,
            expected: Some(wanted.clone()),
            what: format!("is collated by {} instead of {wanted}", self.found.name),
            impact: "Texts sort, and may compare, in another way than the service relies on.",
        })
    }

    /// The spec says which texts are different, and the collation disagrees.
    fn another_comparison(&self) -> Option<Judgement> {
        let wanted = *self.desired.compare.value.stated()?;
        if self.unique_key {
            return None;
        }
        let (severity, what, impact) = match (wanted, self.found.equality) {
            (_, Equality::CaseInsensitive) => (
                Severity::Error,
                "takes texts that differ in letter case for equal",
                "A look-up by one value finds the rows of others, so one key is taken for another.",
            ),
            (CompareSpec::Bytes, Equality::CaseSensitive) => (
                Severity::Warning,
                "takes some texts of different bytes for equal",
                "Two spellings of one character count as one, which the service tells apart.",
            ),
            (CompareSpec::Bytes, Equality::Bytes) if self.found.pads => (
                Severity::Warning,
                "ignores blanks at the end of texts",
                "Two values that differ only in blanks at their ends count as one.",
            ),
            _ => return None,
        };
        Some(Judgement {
            severity,
            expected: Some(match wanted {
                CompareSpec::CaseSensitive => "case_sensitive".to_owned(),
                CompareSpec::Bytes => "bytes".to_owned(),
            }),
            what: format!("is collated by {}, which {what}", self.found.name),
            impact,
        })
    }

    /// A UUID kept as text has two spellings for each value, and the collation tells them apart.
    fn uuid_as_text(&self) -> Option<Judgement> {
        let sensitive = matches!(self.found.equality, Equality::Bytes | Equality::CaseSensitive);
        if !(self.is_uuid() && self.is_event_id() && sensitive) {
            return None;
        }
        let usual = self.usual.as_ref()?;
        let (severity, impact) = if usual.equality == Equality::CaseInsensitive {
            (
                Severity::Critical,
                "The same event in upper and in lower case is recorded twice, and its effects run twice.",
            )
        } else {
            (
                Severity::Info,
                "An identity written in another letter case is another event. That is harmless while one library writes \
                 them all.",
            )
        };
        Some(Judgement {
            severity,
            expected: None,
            what: format!("keeps UUIDs as text and {} tells letter case apart", self.found.name),
            impact,
        })
    }

    /// The character set cannot hold what the service may send. A UUID is ASCII in any set.
    fn part_of_unicode(&self) -> Option<Judgement> {
        if self.found.full_unicode || self.is_uuid() {
            return None;
        }
        let charset = self.found.charset.as_deref().unwrap_or(&self.found.name);
        Some(Judgement {
            severity: Severity::Warning,
            expected: Some("all of Unicode".to_owned()),
            what: format!("is stored in {charset}, which holds only a part of Unicode"),
            impact: "A value with a character outside of it is refused, or damaged where the server is not strict. An event that \
                     carries one cannot be recorded.",
        })
    }

    /// The column names a collation of its own, and the spec says nothing of it.
    fn explicit(&self) -> Option<Judgement> {
        let spoken_of = self.desired.collation.value != Wanted::Silent || self.desired.compare.value != Wanted::Silent;
        if !self.found.explicit || self.is_uuid() || spoken_of {
            return None;
        }
        let usual = self.usual.as_ref();
        if usual.is_some_and(|usual| usual.name == self.found.name) {
            return None;
        }
        let insensitive = self.found.equality == Equality::CaseInsensitive;
        let unusual = usual.is_some_and(|usual| usual.equality != Equality::CaseInsensitive);
        let (severity, impact) = match self.found.equality {
            Equality::CaseInsensitive if unusual && !self.unique_key => (
                Severity::Warning,
                "A look-up by one value finds the rows of others that differ from it in letter case or accents.",
            ),
            Equality::CaseInsensitive => (
                Severity::Info,
                "Texts that differ in letter case or accents are equal, as far as this collation goes.",
            ),
            Equality::Bytes | Equality::CaseSensitive if usual.is_some() && !unusual => (
                Severity::Info,
                "Look-ups in this column distinguish letter case, unlike those in its neighbours.",
            ),
            Equality::Bytes | Equality::CaseSensitive | Equality::Unknown => (
                Severity::Info,
                "Texts sort in another order than in the columns beside it.",
            ),
        };
        let remark = if insensitive { ", which ignores letter case" } else { "" };
        Some(Judgement {
            severity,
            expected: None,
            what: format!("has a collation of its own, {}{remark}", self.found.name),
            impact,
        })
    }

    fn is_uuid(&self) -> bool {
        let ty = self.desired.ty.value.guess();
        ty.is_some_and(|ty| ty.any == Some(DataType::Uuid))
    }

    fn is_event_id(&self) -> bool {
        self.ctx.is_event_id(&self.desired.name.value)
    }

    fn draft(&self, judgement: Judgement) -> Draft {
        let Judgement {
            severity,
            expected,
            what,
            impact,
        } = judgement;
        let name = self.desired.name.value.as_str();
        let at = match (&self.desired.collation, &self.desired.compare) {
            (collation, _) if collation.value.stated().is_some() => collation.at,
            (_, compare) if compare.value.stated().is_some() => compare.at,
            _ => self.desired.name.at,
        };
        Draft {
            severity,
            object: self.ctx.path().column(name),
            at,
            expected,
            found: Some(self.found.name.clone()),
            message: format!("column {} {what}", wording::name(name)),
            impact: impact.to_owned(),
            help: self.help(severity),
        }
    }

    /// Returns the collation that keeps the spec's promise.
    fn right_collation(&self) -> Option<String> {
        if let Some(stated) = self.desired.collation.value.stated() {
            return Some(stated.clone());
        }
        let collation = match self.desired.compare.value.stated() {
            Some(_) => desired_type(self.desired, self.ctx).and_then(|wanted| self.ctx.facts.exact_collation(&wanted)),
            None => self.usual.clone(),
        };
        collation.map(|collation| collation.name)
    }

    fn help(&self, severity: Severity) -> String {
        let wanted = self.right_collation();
        if !self.found.full_unicode && self.usual.as_ref().is_some_and(|usual| usual.name == self.found.name) {
            // The collation is right; the encoding is the whole database's.
            return "Move the tables to a database whose encoding is UTF-8.".to_owned();
        }
        match (severity, &wanted) {
            (Severity::Info, _) => "Nothing, if it is meant; state `collation` in the spec to hold it fast.".to_owned(),
            (_, Some(wanted)) => repair::change_column(self.ctx, self.desired, Change::Collate(wanted)),
            (_, None) => repair::change_column(self.ctx, self.desired, Change::Type(&self.observed.ty.data)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{CASE_INSENSITIVE, CASE_SENSITIVE, Said, Scene};

    fn collated(dialect: Dialect, column: &str, name: &str, equality: Equality) -> Scene {
        Scene::ledger(dialect).column(column, |c| {
            let collation = c.collation.as_mut().expect("a text column");
            collation.name = name.to_owned();
            collation.equality = equality;
            collation.explicit = true;
            collation.full_unicode = true;
            collation.pads = false;
        })
    }

    fn postgres(column: &str, name: &str, equality: Equality) -> Said {
        collated(Dialect::Postgres, column, name, equality).run_with(&RULE, &CASE_SENSITIVE)
    }

    fn compare(scene: Scene, column: &str, compare: CompareSpec) -> Scene {
        scene.wanted_column(column, |c| c.compare.value = Wanted::Is(compare))
    }

    #[test]
    fn quiet_when_columns_have_the_usual_collations() {
        Scene::ledger(Dialect::Postgres)
            .run_with(&RULE, &CASE_SENSITIVE)
            .assert_quiet();
        Scene::ledger(Dialect::MariaDb)
            .run_with(&RULE, &CASE_INSENSITIVE)
            .assert_quiet();
    }

    #[test]
    fn a_deterministic_collation_of_its_own_is_worth_a_line() {
        assert_eq!(postgres("EventType", "C", Equality::Bytes).severity(), Severity::Info);
        let said = collated(Dialect::MariaDb, "CorrelationId", "utf8mb4_bin", Equality::Bytes)
            .run_with(&RULE, &CASE_INSENSITIVE);
        assert_eq!(said.severity(), Severity::Info);
        assert!(said.finding().impact.raw().contains("letter case"));
    }

    #[test]
    fn ignoring_letter_case_against_the_custom_of_the_server_is_a_warning() {
        assert_eq!(
            postgres("EventType", "ci", Equality::CaseInsensitive).severity(),
            Severity::Warning
        );
    }

    #[test]
    fn a_uuid_kept_as_text_must_not_tell_letter_case_apart() {
        let binary = |column| collated(Dialect::MariaDb, column, "utf8mb4_bin", Equality::Bytes);
        assert_eq!(
            binary("EventId").run_with(&RULE, &CASE_INSENSITIVE).severity(),
            Severity::Critical
        );
        binary("Id").run_with(&RULE, &CASE_INSENSITIVE).assert_quiet();
    }

    #[test]
    fn it_is_worth_a_line_where_every_text_does() {
        let said = Scene::ledger(Dialect::Sqlite).run_with(&RULE, &CASE_SENSITIVE);
        assert_eq!(said.severity(), Severity::Info);
        assert_eq!(
            said.finding().object.part,
            Some(crate::schema::Part::Column("EventId".to_owned()))
        );
    }

    #[test]
    fn a_character_set_that_is_a_part_of_unicode_is_a_warning_unless_it_holds_uuids() {
        let narrow = |column: &str| {
            Scene::ledger(Dialect::MariaDb).column(column, |c| {
                let collation = c.collation.as_mut().expect("a text column");
                collation.charset = Some("latin1".to_owned());
                collation.full_unicode = false;
            })
        };
        let said = narrow("EventType").run_with(&RULE, &CASE_INSENSITIVE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(said.finding().message.raw().contains("latin1"));
        narrow("EventId").run_with(&RULE, &CASE_INSENSITIVE).assert_quiet();
    }

    #[test]
    fn another_collation_than_the_named_one_is_an_error_at_the_name() {
        let scene = Scene::ledger(Dialect::Postgres)
            .wanted_column("EventType", |c| c.collation.value = Wanted::Is("C".to_owned()));
        let said = scene.run_with(&RULE, &CASE_SENSITIVE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().location.line,
            scene.spec_column("EventType").collation.at.line
        );
    }

    #[test]
    fn quiet_when_the_named_collation_is_there() {
        collated(Dialect::Postgres, "EventType", "C", Equality::Bytes)
            .wanted_column("EventType", |c| c.collation.value = Wanted::Is("C".to_owned()))
            .run_with(&RULE, &CASE_SENSITIVE)
            .assert_quiet();
    }

    #[test]
    fn a_promise_about_letter_case_is_kept_or_is_an_error() {
        let scene = collated(Dialect::Postgres, "EventType", "ci", Equality::CaseInsensitive);
        let said = compare(scene, "EventType", CompareSpec::CaseSensitive).run_with(&RULE, &CASE_SENSITIVE);
        assert_eq!(said.severity(), Severity::Error);
        let scene = collated(Dialect::Postgres, "EventType", "en", Equality::CaseSensitive);
        compare(scene.clone(), "EventType", CompareSpec::CaseSensitive)
            .run_with(&RULE, &CASE_SENSITIVE)
            .assert_quiet();
        let said = compare(scene, "EventType", CompareSpec::Bytes).run_with(&RULE, &CASE_SENSITIVE);
        assert_eq!(said.severity(), Severity::Warning);
    }

    #[test]
    fn quiet_about_unique_keys_whose_own_rules_judge_them() {
        let scene = collated(Dialect::Postgres, "EventType", "ci", Equality::CaseInsensitive)
            .table(|t| t.indexes.push(crate::rules::testing::index("UX_Type", "EventType")));
        compare(scene, "EventType", CompareSpec::Bytes)
            .run_with(&RULE, &CASE_SENSITIVE)
            .assert_quiet();
    }

    #[test]
    fn an_unknown_equality_cannot_be_judged() {
        let scene = collated(Dialect::Postgres, "EventType", "custom", Equality::Unknown);
        let said = compare(scene, "EventType", CompareSpec::Bytes).run_with(&RULE, &CASE_SENSITIVE);
        assert!(said.unverified().required);
    }

    #[test]
    fn an_unconfirmed_collation_is_listed() {
        let said = Scene::ledger(Dialect::Postgres)
            .wanted_column("EventType", |c| c.collation.value = Wanted::Unconfirmed(None))
            .run_with(&RULE, &CASE_SENSITIVE);
        assert_eq!(said.open().found.raw(), "default");
    }
}
