//! A column whose default is not the spec's.

use crate::compare::ColumnPair;
use crate::dialect::{Departure, is_fresh};
use crate::finding::Severity;
use crate::schema::{Aspect, Clock, Column, DefaultExpr, Identity, Literal, TimeForm};
use crate::spec::{ColumnSpec, DefaultSpec, Wanted};

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::leftover::{self, Place};
use super::plant::Plant;
use super::repair::{self, Change};
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C008",
    name: "column-default",
    severity: Severity::Critical,
    summary: "a column has another default than the spec says",
    page: include_str!("column_default.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| {
        ground.column("Outcome").default = Some(DefaultExpr::Literal(Literal::Text("Failed".to_owned())));
    }),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    if desired.default.value == Wanted::Silent || is_judged_elsewhere(desired, observed) {
        return;
    }
    if !ctx.table().sees(Aspect::Default) {
        sink.unverified(
            ctx.path().aspect(Aspect::Default),
            "The server did not show the defaults of the table's columns.",
            "Check again when nobody holds a lock on the table, with a role that may read it.",
            desired.default.value.stated().is_some(),
        );
        return;
    }
    let object = ctx.path().column(&desired.name.value).aspect(Aspect::Default);
    let wanted = match &desired.default.value {
        Wanted::Silent => return,
        Wanted::Unconfirmed(guess) => {
            let guess = guess.as_ref().map(DefaultSpec::print);
            sink.open(object, guess, shown(observed), desired.default.at);
            return;
        }
        Wanted::Is(wanted) => wanted,
    };
    match (expected(wanted, observed, ctx), &observed.default) {
        (None, None) => {}
        (None, Some(default)) => sink.report(unexpected(default, desired, observed, ctx)),
        (Some(_), None) => sink.report(absent(wanted, desired, observed, ctx)),
        (Some(expected), Some(default)) if is_garbled(&expected, default, ctx) => sink.unverified(
            object,
            format!(
                "The catalog shows the default as {}, and cannot show all characters of the spec's {}.",
                shown(observed),
                wanted.print()
            ),
            "Insert a row without the column on a copy of the database, and look at what it holds.",
            true,
        ),
        (Some(expected), Some(default)) => match compare(&expected, default, ctx) {
            Outcome::Equal => {}
            Outcome::Differs(severity, reason) => {
                sink.report(different(severity, reason, wanted, desired, observed, ctx));
            }
            Outcome::Incomparable => sink.unverified(
                object,
                format!(
                    "The default is {}, which this program cannot compare with the spec's {}.",
                    shown(observed),
                    wanted.print()
                ),
                "Compare the two by hand. If they mean the same, write the spec's as the server prints it.",
                true,
            ),
        },
    }
}

/// Returns whether the default is part of another fact: a generated value, or the numbering of rows.
fn is_judged_elsewhere(desired: &ColumnSpec, observed: &Column) -> bool {
    let as_default = matches!(desired.default.value, Wanted::Is(DefaultSpec::Sql(_)));
    let numbered = desired.identity.value != Wanted::Silent
        || observed
            .identity
            .is_some_and(|identity| !(as_default && identity == Identity::Auto));
    observed.generated.is_some() || (numbered && matches!(observed.default, None | Some(DefaultExpr::NextValue(_))))
}

/// Returns the wanted default in normal form; none for no default, which `NULL` is as well.
fn expected(wanted: &DefaultSpec, observed: &Column, ctx: &Context<'_>) -> Option<DefaultExpr> {
    match wanted {
        DefaultSpec::None => None,
        DefaultSpec::Value(literal) => Some(DefaultExpr::Literal(ctx.facts.literal(literal, &observed.ty))),
        DefaultSpec::Sql(sql) => ctx.facts.default_expr(sql, &observed.ty),
    }
}

/// Returns whether the catalog lost characters of a text that may well be the wanted one.
fn is_garbled(expected: &DefaultExpr, found: &DefaultExpr, ctx: &Context<'_>) -> bool {
    let (DefaultExpr::Literal(Literal::Text(expected)), DefaultExpr::Literal(Literal::Text(found))) = (expected, found)
    else {
        return false;
    };
    let is_lost = |(wanted, shown): (char, char)| wanted == shown || (shown == '?' && ctx.facts.catalog_loses(wanted));
    let same_length = expected.chars().count() == found.chars().count();
    // What was no text of the encoding that was asked for comes as U+FFFD.
    let unreadable = found.contains('\u{fffd}') && !expected.contains('\u{fffd}');
    expected != found && (unreadable || (same_length && expected.chars().zip(found.chars()).all(is_lost)))
}

/// Returns the default as the server prints it.
fn shown(observed: &Column) -> String {
    match (&observed.default, &observed.default_text) {
        (None, _) => "no default".to_owned(),
        (Some(_), Some(text)) => text.clone(),
        (Some(default), None) => default.to_string(),
    }
}

/// How two defaults compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Equal,
    Differs(Severity, Reason),
    /// At least one is an expression that this program does not understand.
    Incomparable,
}

/// Why two defaults are not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    OtherValue,
    LetterCase,
    ExpressionForConstant,
    ConstantForExpression,
    OtherKind,
    WallClock,
    ShiftedTime,
    OtherClock,
    TextForm,
    Midnight,
    Count,
    AnotherTime(Departure),
}

fn compare(expected: &DefaultExpr, found: &DefaultExpr, ctx: &Context<'_>) -> Outcome {
    use DefaultExpr::{Expression, FreshUuid, Literal, NextValue, Now};
    match (expected, found) {
        (a, b) if a == b => Outcome::Equal,
        (NextValue(a), NextValue(b)) if same_sequence(a, b, ctx.path().namespace.as_deref()) => Outcome::Equal,
        (Literal(a), Literal(b)) => Outcome::Differs(Severity::Error, literal_reason(a, b)),
        (Literal(value), Expression(sql)) if is_another_text(value, sql, ctx) => {
            Outcome::Differs(Severity::Error, Reason::OtherValue)
        }
        // An expression may well come to the constant; the server evaluates nothing to find out.
        (Literal(_), Expression(_)) => Outcome::Differs(Severity::Warning, Reason::ExpressionForConstant),
        (Expression(_), Literal(_)) => Outcome::Differs(Severity::Warning, Reason::ConstantForExpression),
        (Now { .. }, Expression(sql)) if let Some(departure) = ctx.facts.departure(sql) => {
            Outcome::Differs(Severity::Error, Reason::AnotherTime(departure))
        }
        (Expression(sql), Now { .. }) if ctx.facts.departure(sql).is_some() => {
            Outcome::Differs(Severity::Error, Reason::OtherValue)
        }
        (Expression(_), _) | (_, Expression(_)) => Outcome::Incomparable,
        (Now { clock: a, form: x }, Now { clock: b, form: y }) => {
            let (severity, reason) = time_reason((*a, *x), (*b, *y));
            Outcome::Differs(severity, reason)
        }
        (Literal(_) | Now { .. } | FreshUuid | NextValue(_), _) => Outcome::Differs(Severity::Error, Reason::OtherKind),
    }
}

/// Returns whether an expression is made of constants that come to another text.
fn is_another_text(value: &Literal, sql: &str, ctx: &Context<'_>) -> bool {
    let Literal::Text(wanted) = value else { return false };
    ctx.facts.constant_text(sql).is_some_and(|text| text != *wanted)
}

/// Returns whether two names of sequences are one: a bare one is looked for where the table is.
fn same_sequence(a: &str, b: &str, namespace: Option<&str>) -> bool {
    let bare = |name: &str| match name.rsplit_once('.') {
        Some((space, bare)) if Some(space.trim_matches('"')) == namespace => bare.to_owned(),
        _ => name.to_owned(),
    };
    bare(a) == bare(b)
}

fn literal_reason(expected: &Literal, found: &Literal) -> Reason {
    match (expected, found) {
        (Literal::Text(a), Literal::Text(b)) if a.to_lowercase() == b.to_lowercase() => Reason::LetterCase,
        _ => Reason::OtherValue,
    }
}

fn time_reason(expected: (Clock, TimeForm), found: (Clock, TimeForm)) -> (Severity, Reason) {
    match (expected, found) {
        (_, (_, TimeForm::ShiftedUtc)) => (Severity::Error, Reason::ShiftedTime),
        ((_, a), (_, TimeForm::Midnight)) if a != TimeForm::Midnight => (Severity::Error, Reason::Midnight),
        ((_, a), (_, b @ (TimeForm::Seconds | TimeForm::Days))) if a != b => (Severity::Error, Reason::Count),
        ((_, a @ (TimeForm::ShiftedUtc | TimeForm::Midnight | TimeForm::Seconds | TimeForm::Days)), (_, b))
            if a != b =>
        {
            (Severity::Error, Reason::OtherValue)
        }
        ((_, a), (_, b)) if a != b => (Severity::Info, Reason::TextForm),
        (_, (Clock::Wall, _)) => (Severity::Info, Reason::WallClock),
        (_, (Clock::Statement, _)) => (Severity::Info, Reason::OtherClock),
    }
}

impl Reason {
    /// Returns the end of the message, where the two values alone do not say it.
    fn remark(self) -> &'static str {
        match self {
            Self::LetterCase => ", which differs in letter case",
            Self::ExpressionForConstant => ", an expression that was not compared by value",
            Self::ConstantForExpression => ", a constant that was not compared by value",
            Self::OtherValue
            | Self::OtherKind
            | Self::WallClock
            | Self::ShiftedTime
            | Self::OtherClock
            | Self::TextForm
            | Self::Midnight
            | Self::Count
            | Self::AnotherTime(_) => "",
        }
    }

    fn impact(self) -> &'static str {
        match self {
            Self::OtherValue | Self::OtherKind => {
                "An insert that leaves the column out stores another value than the service expects."
            }
            Self::LetterCase => {
                "Stored values are data: code and queries that look for the spec's spelling do not find the rows that got \
                 this one."
            }
            Self::ExpressionForConstant | Self::ConstantForExpression => {
                "It may come to the same value; nothing was evaluated to find out, since that can change the database."
            }
            Self::WallClock => "Rows of one transaction get slightly different times, each that of its own insert.",
            Self::OtherClock => "Rows of one transaction get one time, that of its start.",
            Self::ShiftedTime => {
                "The server reads the time, which has lost its zone, in the session's zone: unless that is UTC, the stored \
                 instant is wrong by the offset, and retention by age removes rows too early or too late."
            }
            Self::Midnight => {
                "The time of day is lost: each row gets the start of its day, so it looks up to a day older than it is."
            }
            Self::AnotherTime(Departure::Local) => {
                "The time is that of another zone than UTC, and the column does not say so: its age is wrong by the offset, and \
                 retention by age removes rows too early or too late."
            }
            Self::AnotherTime(Departure::Moved) => {
                "The time is not that of the insert: each row looks older or younger than it is, and retention by age removes \
                 it too early or too late."
            }
            Self::AnotherTime(Departure::Part) => {
                "A part of the time is lost, so that it tells no point in time any more: rows do not sort by it, and their age is \
                 wrong."
            }
            Self::Count => {
                "A number is stored where times are expected. The two do not compare as points in time, so retention by age \
                 removes such rows at once or never."
            }
            Self::TextForm => {
                "The instant is the same and its text is not: times of different spellings do not sort together exactly."
            }
        }
    }
}

fn different(
    severity: Severity,
    reason: Reason,
    wanted: &DefaultSpec,
    desired: &ColumnSpec,
    observed: &Column,
    ctx: &Context<'_>,
) -> Draft {
    let found = shown(observed);
    let message = format!(
        "column {} defaults to {found} instead of {}{}",
        wording::name(&desired.name.value),
        wanted.print(),
        reason.remark()
    );
    Draft {
        severity,
        object: ctx.path().column(&desired.name.value),
        at: desired.default.at,
        expected: Some(wanted.print()),
        found: Some(found),
        message,
        impact: reason.impact().to_owned(),
        help: repair::change_column(ctx, desired, Change::SetDefault),
    }
}

fn absent(wanted: &DefaultSpec, desired: &ColumnSpec, observed: &Column, ctx: &Context<'_>) -> Draft {
    let impact = if observed.takes_null() {
        "An insert that leaves the column out stores NULL.".to_owned()
    } else {
        format!(
            "An insert that leaves the column out is refused. {}",
            wording::refused(ctx.desired().role)
        )
    };
    Draft {
        severity: Severity::Error,
        object: ctx.path().column(&desired.name.value),
        at: desired.default.at,
        expected: Some(wanted.print()),
        found: Some("no default".to_owned()),
        message: format!(
            "column {} has no default although the spec says {}",
            wording::name(&desired.name.value),
            wanted.print()
        ),
        impact,
        help: repair::change_column(ctx, desired, Change::SetDefault),
    }
}

fn unexpected(default: &DefaultExpr, desired: &ColumnSpec, observed: &Column, ctx: &Context<'_>) -> Draft {
    let name = desired.name.value.as_str();
    let wanted = desired
        .ty
        .value
        .guess()
        .and_then(|ty| ty.any.clone().or_else(|| Some(ty.on(ctx.dialect())?.data)));
    let cost = leftover::judge(
        default,
        Place {
            wanted: wanted.as_ref(),
            event_id: ctx.is_event_id(name),
            recorded_at: ctx.is_recorded_at(name),
            nullable: observed.takes_null(),
            fresh: matches!(default, DefaultExpr::Expression(sql) if is_fresh(sql)),
        },
    );
    let found = shown(observed);
    let origin = if cost.leftover {
        " EF Core leaves such a default behind when a migration adds a required column."
    } else {
        ""
    };
    Draft {
        severity: cost.severity,
        object: ctx.path().column(name),
        at: desired.default.at,
        expected: Some("no default".to_owned()),
        message: format!(
            "column {} defaults to {found} although the spec says none",
            wording::name(name)
        ),
        found: Some(found),
        impact: format!("{}{origin}", cost.impact),
        help: repair::change_column(
            ctx,
            desired,
            if observed.ty.domains.is_empty() {
                Change::DropDefault
            } else {
                Change::HideDefault
            },
        ),
    }
}

#[cfg(test)]
mod tests;
