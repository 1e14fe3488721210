//! One index as one line.

use crate::dialect::Facts;
use crate::schema::{Index, IndexState, KeyExpr};
use crate::spec::{IndexSpec, KeyExprSpec};

/// Writes a wanted index. What the spec does not state is taken from the observed one.
pub(super) fn wanted_index(desired: &IndexSpec, observed: Option<&Index>, facts: &dyn Facts) -> String {
    let found_parts = observed.map(|index| index.key.as_slice()).unwrap_or_default();
    let parts = desired.key.value.iter().enumerate().map(|(i, part)| {
        let descending = part.descending.or_else(|| found_parts.get(i).map(|p| p.descending));
        let text = match &part.expr {
            KeyExprSpec::Column(name) => name.clone(),
            KeyExprSpec::Sql(sql) => sql.clone(),
        };
        key_part(&text, descending.unwrap_or(false))
    });
    let include = match (&desired.include, observed) {
        (Some(wanted), _) => wanted.value.clone(),
        (None, Some(index)) => index.include.clone(),
        (None, None) => Vec::new(),
    };
    let distinct = match (&desired.nulls_distinct, observed) {
        (Some(wanted), _) => wanted.value,
        (None, Some(index)) => !index.nulls_not_distinct,
        (None, None) => true,
    };
    let name = observed.map_or_else(|| facts.stored_name(&desired.name.value), |index| index.name.as_str());
    let line = IndexLine {
        unique: desired.unique.value,
        name,
        parts: parts.collect(),
        include: &include,
        distinct,
        predicate: desired.predicate.as_ref().map(|p| p.value.as_str()),
        remarks: String::new(),
    };
    line.write()
}

/// Writes an observed index in the words of the wanted one where both mean the same.
pub(super) fn observed_index(index: &Index, desired: Option<&IndexSpec>, facts: &dyn Facts) -> String {
    let parts = index.key.iter().enumerate().map(|(i, part)| {
        let wanted = desired.and_then(|d| d.key.value.get(i)).map(|p| &p.expr);
        let text = match (&part.expr, wanted) {
            (KeyExpr::Column(found), Some(KeyExprSpec::Column(name))) if facts.same_name(name, found) => name.clone(),
            (KeyExpr::Column(found), _) => found.clone(),
            (KeyExpr::Expression { sql, .. }, Some(KeyExprSpec::Sql(wanted)))
                if facts.expression(sql) == facts.expression(wanted) =>
            {
                wanted.clone()
            }
            (KeyExpr::Expression { sql, .. }, _) => sql.clone(),
        };
        let text = match part.prefix {
            Some(prefix) => format!("{text}({prefix})"),
            None => text,
        };
        let text = match part.collation.as_ref().filter(|c| c.explicit) {
            Some(collation) => format!("{text} collate {}", collation.name),
            None => text,
        };
        let text = match &part.operator {
            Some(operator) => format!("{text} WITH {operator}"),
            None => text,
        };
        key_part(&text, part.descending)
    });
    let wanted = desired.and_then(|d| d.predicate.as_ref()).map(|p| p.value.as_str());
    let predicate = match (index.predicate.as_deref(), wanted) {
        (Some(found), Some(wanted)) if facts.expression(found) == facts.expression(wanted) => Some(wanted),
        (found, _) => found,
    };
    let mut remarks = String::new();
    match &index.state {
        IndexState::Valid => {}
        IndexState::Invalid { reason } => remarks.push_str(&format!(" invalid: {reason}")),
        IndexState::Building => remarks.push_str(" being built"),
    }
    if index.ignored {
        remarks.push_str(" ignored");
    }
    let line = IndexLine {
        unique: index.unique,
        name: &index.name,
        parts: parts.collect(),
        include: &index.include,
        distinct: !index.nulls_not_distinct,
        predicate,
        remarks,
    };
    line.write()
}

fn key_part(text: &str, descending: bool) -> String {
    format!("{text}{}", if descending { " desc" } else { "" })
}

/// The parts of an index's line.
struct IndexLine<'a> {
    unique: bool,
    name: &'a str,
    parts: Vec<String>,
    include: &'a [String],
    distinct: bool,
    predicate: Option<&'a str>,
    remarks: String,
}

impl IndexLine<'_> {
    fn write(&self) -> String {
        let unique = if self.unique { "unique " } else { "" };
        let mut line = format!("  {unique}index {} ({})", self.name, self.parts.join(", "));
        if !self.include.is_empty() {
            line.push_str(&format!(" include ({})", self.include.join(", ")));
        }
        if !self.distinct {
            line.push_str(" nulls not distinct");
        }
        if let Some(predicate) = self.predicate {
            line.push_str(&format!(" where {predicate}"));
        }
        line.push_str(&self.remarks);
        line
    }
}
