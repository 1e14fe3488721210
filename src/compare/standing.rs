//! How observed indexes stand to a wanted one: which of them does its work, and in which ways it differs.
//!
//! An index is told by what it enforces and serves, its name comes second: a namesake over other columns is not the
//! wanted index, and an index of another name over the same key is.

use crate::dialect::{Facts, KeyEffect};
use crate::schema::{Column, Equality, Index, IndexState, KeyExpr, KeyPart, Table};
use crate::spec::{CompareSpec, IndexSpec, KeyExprSpec, TableSpec};

use super::difference::{Difference, Effect, enforcement, expression_difference, worst};
use super::key::{computed, key_effect, print_key, print_part};
use super::predicate::Rows;
use super::promise::refuses_more;

/// How the observed indexes stand to a wanted one.
#[derive(Clone, Debug)]
pub enum Standing<'a> {
    /// This index is for the wanted key: the one of the wanted name, or the nearest if no index does the work.
    Nearest {
        /// The index.
        index: &'a Index,
        /// In which ways it differs; empty if it is just what is wanted.
        differences: Vec<Difference>,
    },
    /// Another index does the work, though the one of the wanted name is absent or is for something else.
    Other {
        /// The index that does the work.
        index: &'a Index,
        /// In which ways it differs, none of which keeps it from its work.
        differences: Vec<Difference>,
    },
    /// No index is for the wanted key.
    Nothing,
}

/// One wanted index with all that is needed to look at observed ones.
struct Wanted<'a> {
    index: &'a IndexSpec,
    table: &'a TableSpec,
    observed: &'a Table,
    facts: &'a dyn Facts,
}

/// Finds out how the observed indexes stand to a wanted one. `named` is the index of the wanted name.
pub(super) fn stand<'a>(
    index: &'a IndexSpec,
    named: Option<&'a Index>,
    table: &'a TableSpec,
    observed: &'a Table,
    facts: &'a dyn Facts,
) -> Standing<'a> {
    let wanted = Wanted {
        index,
        table,
        observed,
        facts,
    };
    let own = named.and_then(|index| wanted.differences(index, true).map(|differences| (index, differences)));
    if let Some((index, differences)) = &own {
        // An index that refuses too much does harm whatever other indexes do; one that lets too much in does not. One
        // for the wanted key that serves nothing is still meant to be the wanted one.
        let lets_in = differences.iter().any(|d| d.effect >= Effect::LetsIn);
        let refuses = differences.iter().any(|d| d.effect == Effect::Refuses);
        if worst(differences) <= Effect::RefusesPadded || (refuses && !lets_in) {
            return Standing::Nearest {
                index,
                differences: differences.clone(),
            };
        }
    }
    let mut others: Vec<(&'a Index, Vec<Difference>)> = observed
        .indexes
        .iter()
        .filter(|i| !named.is_some_and(|n| std::ptr::eq(n, *i)))
        .filter_map(|i| wanted.differences(i, false).map(|d| (i, d)))
        .collect();
    // The primary key comes last: an index of its own is the better answer where there is one.
    others.sort_by_key(|(index, found)| {
        (
            worst(found),
            index.has_own_comparison(),
            index.primary,
            found.len(),
            index.name.clone(),
        )
    });
    let working = others
        .iter()
        .position(|(index, differences)| wanted.works(index, differences));
    match (working, own) {
        (Some(at), _) => {
            let (index, differences) = others.swap_remove(at);
            Standing::Other { index, differences }
        }
        (None, Some((index, differences))) => Standing::Nearest { index, differences },
        (None, None) if wanted.index.unique.value && !others.is_empty() => {
            let (index, differences) = others.swap_remove(0);
            Standing::Nearest { index, differences }
        }
        (None, None) => Standing::Nothing,
    }
}

impl Wanted<'_> {
    /// Returns whether an index does what it is wanted for: to refuse duplicates, or to serve look-ups. What a person's
    /// own comparison refuses is not known.
    fn works(&self, index: &Index, differences: &[Difference]) -> bool {
        if self.index.unique.value {
            worst(differences) <= Effect::RefusesPadded && !index.has_own_comparison()
        } else {
            worst(differences) <= Effect::Degraded
        }
    }

    /// Returns in which ways an index differs, or nothing if it is not for the wanted key at all.
    fn differences(&self, index: &Index, named: bool) -> Option<Vec<Difference>> {
        let mut out = if self.index.unique.value {
            self.unique_key(index, named)?
        } else {
            self.lookup_key(index, named)?
        };
        let rows = Rows {
            table: self.observed,
            facts: self.facts,
        };
        out.extend(rows.compare(self.index, index));
        self.extras(index, &mut out);
        out.sort_by_key(|difference| std::cmp::Reverse(difference.effect));
        Some(out)
    }

    /// Compares the key of a unique index by what it lets in and refuses.
    fn unique_key(&self, index: &Index, named: bool) -> Option<Vec<Difference>> {
        if !index.unique {
            return None;
        }
        let mut out = Vec::new();
        let mut hit = vec![false; self.index.key.value.len()];
        let (constant, telling): (Vec<&KeyPart>, Vec<&KeyPart>) =
            index.key.iter().partition(|part| self.is_constant(part));
        // Columns come first: what is computed from a column that is in the key anyhow adds nothing to it.
        let (columns, computed): (Vec<&KeyPart>, Vec<&KeyPart>) =
            telling.into_iter().partition(|part| self.is_wanted(part));
        let mut extra: Vec<&KeyPart> = Vec::new();
        for part in columns.into_iter().chain(computed) {
            if !self.place_part(part, &mut hit, &mut out) {
                extra.push(part);
            }
        }
        let complete = hit.iter().all(|h| *h);
        let one_row = named && extra.is_empty() && !constant.is_empty();
        if !(hit.contains(&true) || one_row) || (!extra.is_empty() && !complete) {
            return None;
        }
        if !extra.is_empty() {
            out.push(self.wider_key(index, &extra));
        } else if !hit.contains(&true) {
            let what = format!(
                "is over the constant `{}`, so that every row after the first is refused",
                print_key(&index.key)
            );
            out.push(Difference::new(Effect::Refuses, what));
        } else if !complete {
            let what = format!("is unique on `{}` alone", print_key(&index.key));
            out.push(Difference::new(Effect::Refuses, what));
        } else if index.key.len() > hit.len() {
            out.push(Difference::new(
                Effect::Impaired,
                format!("has the key `{}`, which ON CONFLICT cannot use", print_key(&index.key)),
            ));
        } else if let Some(difference) = self.key_order(index) {
            out.push(difference);
        }
        self.nulls(index, &mut out);
        self.children(&mut out);
        enforcement(index, &mut out);
        Some(out)
    }

    fn is_wanted(&self, part: &KeyPart) -> bool {
        part.as_column().is_some_and(|name| self.wanted_column(name).is_some())
    }

    fn is_constant(&self, part: &KeyPart) -> bool {
        match &part.expr {
            KeyExpr::Column(_) => false,
            KeyExpr::Expression { sql, columns } => columns.is_empty() && self.facts.is_constant(sql),
        }
    }

    /// Marks the wanted parts that an observed part stands for; returns whether it stands for any.
    fn place_part(&self, part: &KeyPart, hit: &mut [bool], out: &mut Vec<Difference>) -> bool {
        if let Some(name) = part.as_column()
            && let Some(at) = self.wanted_column(name)
        {
            hit[at] = true;
            self.place_column(part, name, out);
            return true;
        }
        let Some((sql, columns)) = computed(part, self.observed) else {
            return false;
        };
        if let Some(at) = self.wanted_sql(&self.facts.expression(sql)) {
            hit[at] = true;
            return true;
        }
        let places: Option<Vec<usize>> = columns.iter().map(|c| self.wanted_column(c)).collect();
        let Some(places) = places.filter(|p| !p.is_empty()) else {
            return false;
        };
        let known = places.iter().all(|at| hit[*at]);
        for at in &places {
            hit[*at] = true;
        }
        let effect = key_effect(sql, columns, self.table, self.observed, self.facts);
        if !known || matches!(effect, KeyEffect::Forgets(_)) {
            out.push(expression_difference(sql, &effect));
        }
        true
    }

    /// Says what becomes of a wanted column that is only in part in the key, or is not compared by equality.
    fn place_column(&self, part: &KeyPart, name: &str, out: &mut Vec<Difference>) {
        if let Some(length) = part.prefix {
            let what = format!("compares only the first {length} characters of `{name}`");
            out.push(Difference::new(Effect::Refuses, what));
        }
        if let Some(operator) = &part.operator {
            let what = format!("refuses rows whose {name} {operator} that of another row, and not only equal ones");
            out.push(Difference::new(Effect::Refuses, what));
        }
        self.collation(part, name, out);
    }

    fn wanted_column(&self, name: &str) -> Option<usize> {
        self.index.key.value.iter().position(|part| match &part.expr {
            KeyExprSpec::Column(wanted) => self.facts.same_name(name, self.facts.stored_name(wanted)),
            KeyExprSpec::Sql(_) => false,
        })
    }

    fn wanted_sql(&self, canonical: &str) -> Option<usize> {
        self.index.key.value.iter().position(|part| match &part.expr {
            KeyExprSpec::Column(_) => false,
            KeyExprSpec::Sql(sql) => self.facts.expression(sql) == canonical,
        })
    }

    fn wider_key(&self, index: &Index, extra: &[&KeyPart]) -> Difference {
        let names: Vec<String> = extra.iter().map(|part| print_part(part)).collect();
        let nullable = extra.iter().filter_map(|p| p.as_column()).find(|name| {
            self.observed
                .columns
                .iter()
                .any(|c| c.nullable && self.facts.same_name(&c.name, name))
        });
        let mut what = format!(
            "is unique on `{}` and so accepts the same `{}` once per `{}`",
            print_key(&index.key),
            self.wanted_key(),
            names.join(", ")
        );
        if let Some(name) = nullable {
            what.push_str(&format!("; rows without `{name}` are never duplicates"));
        }
        Difference::new(Effect::LetsIn, what)
    }

    /// Returns the wanted key as people write it: `EventId` or `(A, B)`.
    fn wanted_key(&self) -> String {
        let parts: Vec<&str> = self
            .index
            .key
            .value
            .iter()
            .map(|part| match &part.expr {
                KeyExprSpec::Column(text) | KeyExprSpec::Sql(text) => text.as_str(),
            })
            .collect();
        if let [one] = parts[..] {
            one.to_owned()
        } else {
            format!("({})", parts.join(", "))
        }
    }

    /// Looks at the order of a key that has just the wanted parts.
    fn key_order(&self, index: &Index) -> Option<Difference> {
        let same = index
            .key
            .iter()
            .zip(&self.index.key.value)
            .all(|(part, wanted)| self.stands_in(part) || self.same_part(part, &wanted.expr));
        (!same).then(|| {
            Difference::new(
                Effect::Degraded,
                format!("has its columns in the order `{}`", print_key(&index.key)),
            )
        })
    }

    /// Returns whether a part is over a generated column, which has been spoken of already.
    fn stands_in(&self, part: &KeyPart) -> bool {
        part.as_column().is_some() && !self.is_wanted(part) && computed(part, self.observed).is_some()
    }

    fn same_part(&self, part: &KeyPart, wanted: &KeyExprSpec) -> bool {
        match (&part.expr, wanted) {
            (KeyExpr::Column(name), KeyExprSpec::Column(wanted)) => {
                self.facts.same_name(name, self.facts.stored_name(wanted))
            }
            (KeyExpr::Expression { sql, .. }, KeyExprSpec::Sql(wanted)) => {
                self.facts.expression(sql) == self.facts.expression(wanted)
            }
            // An expression that stands for a column has been spoken of already.
            (KeyExpr::Expression { .. }, KeyExprSpec::Column(_)) => true,
            (KeyExpr::Column(_), KeyExprSpec::Sql(_)) => false,
        }
    }

    /// Compares which texts are equal to the index with what the spec and the column say.
    fn collation(&self, part: &KeyPart, name: &str, out: &mut Vec<Difference>) {
        let Some(column) = self.observed_column(name) else {
            return;
        };
        let own = part.collation.as_ref();
        let Some(collation) = own.or(column.collation.as_ref()) else {
            return;
        };
        let compare = self
            .table
            .columns
            .iter()
            .find(|c| self.facts.same_name(&c.name.value, name));
        let compare = compare.and_then(|c| c.compare.value.stated());
        let merges_case = collation.equality == Equality::CaseInsensitive;
        if compare.is_some() && merges_case {
            let what = format!(
                "takes texts of `{name}` that differ in letter case for equal (collation `{}`)",
                collation.name
            );
            out.push(Difference::new(Effect::Refuses, what));
        } else if compare == Some(&CompareSpec::Bytes) && collation.equality == Equality::CaseSensitive {
            let what = format!(
                "takes some texts of `{name}` for equal that differ in bytes, as two spellings of one character (collation \
                 `{}`)",
                collation.name
            );
            out.push(Difference::new(Effect::RefusesPadded, what));
        } else if compare == Some(&CompareSpec::Bytes) && collation.pads {
            let what = format!("ignores trailing blanks of `{name}` (collation `{}`)", collation.name);
            out.push(Difference::new(Effect::RefusesPadded, what));
        } else if let (Some(own), Some(of_column)) = (own, column.collation.as_ref())
            && own.name != of_column.name
        {
            let what = format!(
                "compares `{name}` by collation `{}` instead of the column's `{}`, so look-ups by the column pass it over",
                own.name, of_column.name
            );
            out.push(Difference::new(Effect::Degraded, what));
        }
    }

    fn observed_column(&self, name: &str) -> Option<&Column> {
        self.observed.columns.iter().find(|c| c.name == name)
    }

    /// Compares what happens to rows without a value in the key.
    fn nulls(&self, index: &Index, out: &mut Vec<Difference>) {
        let nullable = index
            .key
            .iter()
            .filter_map(KeyPart::as_column)
            .find(|name| self.observed_column(name).is_some_and(|c| c.nullable));
        let distinct = self.index.nulls_distinct.as_ref().map(|n| n.value);
        match (index.nulls_not_distinct, distinct, nullable) {
            (true, Some(false), _) | (false, None | Some(true), _) => {}
            (true, _, None) => {
                out.push(Difference::new(
                    Effect::Cosmetic,
                    "is NULLS NOT DISTINCT, without effect on columns that are NOT NULL",
                ));
            }
            (true, _, Some(name)) => {
                let what = format!("is NULLS NOT DISTINCT and so refuses a second row without `{name}`");
                out.push(Difference::new(Effect::Refuses, what));
            }
            (false, Some(false), None) => {
                out.push(Difference::new(
                    Effect::Cosmetic,
                    "holds NULLs distinct, without effect on columns that are NOT NULL",
                ));
            }
            (false, Some(false), Some(name)) => {
                let what = format!("holds NULLs distinct and so accepts any number of rows without `{name}`");
                out.push(Difference::new(Effect::LetsIn, what));
            }
        }
    }

    /// Unique indexes are not inherited: rows of a child table show up in the parent and are not held to them.
    fn children(&self, out: &mut Vec<Difference>) {
        let Some(mut wanted) = self.index.columns() else { return };
        wanted.sort_unstable();
        for child in &self.observed.children {
            let guarded = child.unique_keys.iter().any(|key| {
                let mut key: Vec<&str> = key.iter().map(String::as_str).collect();
                key.sort_unstable();
                key == wanted
            });
            // Even a guarded child can repeat a row of its parent or of a sibling.
            let how = if guarded {
                "has a unique index of its own, which does not see the parent's rows"
            } else {
                "has no unique index of its own"
            };
            let what = format!("does not reach the child table `{}`, which {how}", child.name);
            out.push(Difference::new(Effect::LetsIn, what));
        }
    }

    /// Compares the key of an index that is wanted for look-ups. That an index of another name is unique is no
    /// difference here: it may be wanted for that, and if it is not, it is looked at on its own.
    fn lookup_key(&self, index: &Index, named: bool) -> Option<Vec<Difference>> {
        let wanted = &self.index.key.value;
        let leads = index.key.len() >= wanted.len()
            && index.key.iter().zip(wanted).all(|(part, wanted)| {
                self.same_part(part, &wanted.expr)
                    && (part.as_column().is_some() || matches!(wanted.expr, KeyExprSpec::Sql(_)))
            });
        if !leads {
            return None;
        }
        let mut out = Vec::new();
        if index.key.len() > wanted.len() {
            out.push(Difference::new(
                Effect::Cosmetic,
                format!("has the longer key `{}`", print_key(&index.key)),
            ));
        }
        for part in &index.key[..wanted.len()] {
            if let (Some(length), Some(name)) = (part.prefix, part.as_column()) {
                let what = format!("holds only the first {length} characters of `{name}`");
                out.push(Difference::new(Effect::Cosmetic, what));
            }
            if let Some(name) = part.as_column() {
                let mut found = Vec::new();
                self.collation(part, name, &mut found);
                // The server reads no index for a comparison by another collation.
                let passed_over = found.into_iter().filter(|d| d.effect == Effect::Degraded);
                out.extend(passed_over.map(|d| Difference::new(Effect::Impaired, d.what)));
            }
        }
        if named && index.unique {
            out.push(if refuses_more(index, self.table, self.observed, self.facts) {
                Difference::new(Effect::Refuses, "is UNIQUE")
            } else {
                Difference::new(
                    Effect::Cosmetic,
                    "is UNIQUE, and refuses nothing that is not refused anyhow",
                )
            });
        }
        if !index.serves_equality {
            let what = format!(
                "uses `{}`, which does not serve look-ups of single values",
                index.method
            );
            out.push(Difference::new(Effect::Impaired, what));
        }
        match &index.state {
            IndexState::Valid => {}
            IndexState::Invalid { reason } => {
                out.push(Difference::new(
                    Effect::Impaired,
                    format!("is INVALID and serves no reads: {reason}"),
                ));
            }
            IndexState::Building => {
                out.push(Difference::new(
                    Effect::Impaired,
                    "is being built and serves no reads yet",
                ));
            }
        }
        Some(out)
    }

    /// Compares what decides nothing about the key: order, payload, the constraint behind the index.
    fn extras(&self, index: &Index, out: &mut Vec<Difference>) {
        let pairs = || index.key.iter().zip(&self.index.key.value);
        let is_backwards = pairs().all(|(part, wanted)| part.descending != wanted.descending.unwrap_or(false));
        for (part, wanted) in pairs() {
            let descending = wanted.descending.unwrap_or(false);
            if part.descending != descending && self.same_part(part, &wanted.expr) {
                let effect = match (wanted.descending, index.key.len()) {
                    (Some(_), 2..) if !is_backwards => Effect::Degraded,
                    _ => Effect::Cosmetic,
                };
                let order = if part.descending { "descending" } else { "ascending" };
                out.push(Difference::new(
                    effect,
                    format!("holds `{}` in {order} order", print_part(part)),
                ));
            }
        }
        // What a unique index refuses by a comparison of a person's own is not known, which is worse.
        let judged = index
            .key
            .iter()
            .filter(|part| !(self.index.unique.value && part.own_comparison));
        if let Some(class) = judged.filter_map(|part| part.operator_class.as_deref()).next() {
            out.push(Difference::new(
                Effect::Degraded,
                format!("uses the operator class `{class}`"),
            ));
        }
        let wanted: Option<&[String]> = self.index.include.as_ref().map(|i| &i.value[..]);
        match wanted {
            None if !index.include.is_empty() => {
                let what = format!(
                    "carries `{}` along (INCLUDE), which is no part of its key",
                    index.include.join(", ")
                );
                out.push(Difference::new(Effect::Cosmetic, what));
            }
            Some(wanted) if !same_set(wanted, &index.include) => {
                let what = format!(
                    "includes `({})` instead of `({})`",
                    index.include.join(", "),
                    wanted.join(", ")
                );
                out.push(Difference::new(Effect::Degraded, what));
            }
            None | Some(_) => {}
        }
        if self.index.unique.value
            && !index.primary
            && let Some(constraint) = &index.constraint
        {
            let what = format!("belongs to the constraint `{constraint}`, where a plain unique index is usual");
            out.push(Difference::new(Effect::Cosmetic, what));
        }
    }
}

fn same_set(a: &[String], b: &[String]) -> bool {
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    sorted(a) == sorted(b)
}

#[cfg(test)]
mod tests;
