//! What a target says without its own names.

use crate::report::TargetReport;
use crate::schema::ObjectPath;
use crate::text::Text;

/// What stands for a target's own name.
const OWN: &str = "`…`";

/// Returns a target's report in the words that equal targets share: without the names of its database and namespace.
pub(in crate::report) fn generalize(target: &TargetReport) -> TargetReport {
    let text = |text: &Text| Text::new(without_own_names(text.raw(), target));
    let object = |object: &ObjectPath| without_namespace(object, target);
    let mut general = target.clone();
    general.name = Text::default();
    general.database = None;
    general.namespace = None;
    general.reason = target.reason.as_ref().map(text);
    general.notes = target.notes.iter().map(text).collect();
    for entry in &mut general.unverified {
        entry.object = object(&entry.object);
        entry.reason = text(&entry.reason);
        entry.help = text(&entry.help);
    }
    for entry in &mut general.unconfirmed {
        entry.object = object(&entry.object);
    }
    general
}

/// Takes the target's own namespace out of an object's path.
pub(super) fn without_namespace(object: &ObjectPath, target: &TargetReport) -> ObjectPath {
    let own = target.namespace.as_ref().map(Text::raw);
    let namespace = object.namespace.clone().filter(|name| Some(name.as_str()) != own);
    ObjectPath {
        namespace,
        ..object.clone()
    }
}

/// Takes the target's own names out of a sentence, in which names stand in backticks.
pub(super) fn without_own_names(text: &str, target: &TargetReport) -> String {
    let names = [&target.namespace, &target.database].into_iter().flatten();
    names.fold(text.to_owned(), |text, name| {
        // Most sentences do not speak of it.
        match text.contains(name.raw()) {
            true => text.replace(&format!("`{}`", name.raw()), OWN),
            false => text,
        }
    })
}
