//! I010: further indexes over the same key.

use crate::compare::Standing;
use crate::finding::Severity;
use crate::schema::{Index, IndexState, plain_columns};

use super::{Check, Context, Draft, Rule, Sink, wording};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I010",
    name: "index-redundant",
    severity: Severity::Warning,
    summary: "further indexes over a key that already has one",
    page: include_str!("index_redundant.md"),
    check: Check::Table(check),
};

/// What an extra index repeats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Twin<'a> {
    /// An index that the spec wants.
    Wanted(&'a str),
    /// The primary key, which servers index by themselves.
    PrimaryKey,
}

/// Returns what an extra index only repeats, if it does.
pub(super) fn twin<'a>(index: &Index, context: &Context<'a>) -> Option<Twin<'a>> {
    let key = plain_columns(&index.key)?;
    if index.predicate.is_some() || !index.include.is_empty() || !index.serves_equality {
        return None;
    }
    let same = |columns: &[&str]| {
        columns.len() == key.len() && columns.iter().zip(&key).all(|(a, b)| context.facts.same_name(a, b))
    };
    let wanted = context.pair.indexes.iter().find_map(|pair| {
        let (Standing::Nearest { index: used, .. } | Standing::Other { index: used, .. }) = &pair.standing else {
            return None;
        };
        let enough = used.unique || !index.unique;
        let sound = used.predicate.is_none() && matches!(used.state, IndexState::Valid) && !used.ignored;
        (enough && sound && plain_columns(&used.key).is_some_and(|c| same(&c))).then_some(*used)
    });
    if let Some(used) = wanted {
        return Some(Twin::Wanted(&used.name));
    }
    let primary = context.table().primary_key.as_ref()?;
    let columns: Vec<&str> = primary.columns.iter().map(String::as_str).collect();
    same(&columns).then_some(Twin::PrimaryKey)
}

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let mut groups: Vec<(Twin<'_>, Vec<&Index>)> = Vec::new();
    for index in &context.pair.extra_indexes {
        if !matches!(index.state, IndexState::Valid) {
            continue;
        }
        let Some(twin) = twin(index, context) else { continue };
        match groups.iter_mut().find(|(of, _)| *of == twin) {
            Some((_, members)) => members.push(index),
            None => groups.push((twin, vec![index])),
        }
    }
    for (twin, members) in groups {
        report(twin, &members, context, sink);
    }
}

/// Reports all repetitions of one index together: they have one cause.
fn report(twin: Twin<'_>, members: &[&Index], context: &Context<'_>, sink: &mut Sink<'_>) {
    let names: Vec<String> = members.iter().map(|index| wording::name(&index.name)).collect();
    let (severity, of) = match twin {
        Twin::Wanted(name) => (Severity::Warning, format!("the index `{name}`")),
        Twin::PrimaryKey => (Severity::Info, "the primary key".to_owned()),
    };
    let verb = if members.len() == 1 { "repeats" } else { "repeat" };
    let Some(first) = members.first() else { return };
    sink.report(Draft {
        severity,
        object: context.path().index(&first.name),
        at: context.desired().indexes_at,
        expected: None,
        found: Some(members.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(", ")),
        message: format!("{} {verb} {of}", wording::list(&names)),
        impact: format!("What they do, {of} does already, and each insert pays for all of them."),
        help: "Drop them, and look for the tool that makes them anew at each start.".to_owned(),
    });
}
