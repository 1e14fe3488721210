//! Views through which rows are deleted.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Delete, Expr, FromTable, GroupByExpr, Ident, ObjectName, Query, SelectItem, SetExpr, Statement, TableFactor,
    VisitMut, visit_expressions_mut,
};
use sqlparser::parser::Parser;

use super::block::Reader;
use super::grammar;
use crate::dialect::Dialect;
use crate::retention::model::View;

/// How deep views over views are followed.
const DEPTH: usize = 3;

/// One view between a statement and its table.
pub(super) struct Layer {
    /// What it reads.
    pub(super) base: ObjectName,
    /// The names of that in its query.
    pub(super) names: Vec<String>,
    /// Which rows it shows.
    pub(super) condition: Option<Expr>,
    /// Columns that it shows under other names: the name here, and the one in what it reads.
    renamed: Vec<(String, Ident)>,
}

impl Reader<'_> {
    /// Returns the views that a name stands for, from the outermost to the one that reads a table; none for a table.
    ///
    /// # Errors
    ///
    /// Why a view is not understood, as a clause.
    pub(super) fn layers(&self, name: &ObjectName) -> Result<Vec<Layer>, String> {
        let mut layers: Vec<Layer> = Vec::new();
        while let Some(view) = self.view(layers.last().map_or(name, |layer| &layer.base)) {
            let failed = |why: &str| format!("it deletes through the view `{}`, {why}", view.name);
            if layers.len() >= DEPTH {
                return Err(failed("which reads other views"));
            }
            let Some(definition) = view.definition.as_deref() else {
                return Err(failed("whose definition is not shown to this role"));
            };
            let layer = self
                .layer(definition)
                .ok_or_else(|| failed("which is more than a part of one table"))?;
            let passes = match &view.instead {
                Some(body) => self.passes_on(body, &layer.base),
                None => true,
            };
            if !passes {
                return Err(failed("whose trigger is not understood"));
            }
            layers.push(layer);
        }
        // A view's condition speaks of what it reads, which may be a view as well.
        for at in (1..layers.len()).rev() {
            let (outer, inner) = layers.split_at_mut(at);
            if let Some(condition) = &mut outer[at - 1].condition {
                inner.iter().for_each(|layer| self.rename(condition, layer));
            }
        }
        Ok(layers)
    }

    /// Returns a deletion from a view with the names that its columns have in the table.
    pub(super) fn through(&self, delete: &Delete, layers: &[Layer]) -> Delete {
        let mut delete = delete.clone();
        for layer in layers {
            self.rename(&mut delete, layer);
        }
        delete
    }

    fn rename(&self, node: &mut impl VisitMut, layer: &Layer) {
        if layer.renamed.is_empty() {
            return;
        }
        let _ = visit_expressions_mut(node, |part| {
            let ident = match part {
                Expr::Identifier(ident) => Some(&*ident),
                Expr::CompoundIdentifier(parts) => parts.last(),
                _ => None,
            };
            let own = ident.map(|ident| self.stored(ident));
            if let Some((_, base)) = layer.renamed.iter().find(|(shown, _)| Some(shown) == own.as_ref()) {
                *part = Expr::Identifier(base.clone());
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// Returns a name as the server stores it; what ignores letter case is in lower case here.
    fn stored(&self, ident: &Ident) -> String {
        match (self.setting.dialect, ident.quote_style) {
            (Dialect::Postgres, Some(_)) => ident.value.clone(),
            _ => ident.value.to_lowercase(),
        }
    }

    fn view(&self, name: &ObjectName) -> Option<&View> {
        let parts = self.parts(name);
        let (name, before) = parts.split_last()?;
        let same = |a: &str, b: &str| match self.setting.dialect {
            Dialect::Postgres => a == b,
            _ => a.eq_ignore_ascii_case(b),
        };
        let path = self.path();
        let mut views = self.setting.views.iter().filter(|view| same(&view.name, name));
        views.find(|view| match (&view.namespace, before.last()) {
            (None, _) => true,
            (Some(space), Some(written)) => same(space, written),
            (Some(space), None) => path.is_empty() || path.iter().any(|p| same(p, space)),
        })
    }

    /// Reads a view that shows columns of one table.
    fn layer(&self, definition: &str) -> Option<Layer> {
        let query = self.query_of(definition)?;
        let plain = query.with.is_none() && query.limit_clause.is_none() && query.fetch.is_none();
        let SetExpr::Select(select) = *query.body else {
            return None;
        };
        let [from] = select.from.as_slice() else {
            return None;
        };
        let TableFactor::Table { name, alias, .. } = &from.relation else {
            return None;
        };
        let groups = !matches!(&select.group_by, GroupByExpr::Expressions(by, _) if by.is_empty());
        let grouped = groups || select.distinct.is_some() || select.having.is_some() || select.top.is_some();
        if !plain || grouped || !from.joins.is_empty() {
            return None;
        }
        let columns: Option<Vec<_>> = select.projection.iter().map(column).collect();
        let columns = columns?.into_iter().flatten();
        let renamed = columns.filter(|(shown, base)| self.stored(shown) != self.stored(base));
        let mut names: Vec<String> = alias.iter().map(|alias| alias.name.value.clone()).collect();
        names.extend(self.parts(name).pop());
        Some(Layer {
            base: name.clone(),
            names,
            condition: select.selection.clone(),
            renamed: renamed.map(|(shown, base)| (self.stored(&shown), base)).collect(),
        })
    }

    fn query_of(&self, sql: &str) -> Option<Query> {
        let sql = sql.trim().trim_end_matches(';');
        match self.sole_statement(sql)? {
            Statement::Query(query) => Some(*query),
            Statement::CreateView(view) if view.columns.is_empty() => Some(*view.query),
            _ => None,
        }
    }

    /// Returns whether a trigger of a view deletes just the row of the table that the view shows.
    fn passes_on(&self, body: &str, base: &ObjectName) -> bool {
        let body = body.trim();
        let Some(Statement::Delete(delete)) = self.sole_statement(body.trim_end_matches(';')) else {
            return false;
        };
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let target = match from.as_slice() {
            [only] if only.joins.is_empty() => match &only.relation {
                TableFactor::Table { name, .. } => self.parts(name),
                _ => return false,
            },
            _ => return false,
        };
        let Some(Expr::BinaryOp { left, op, right }) = &delete.selection else {
            return false;
        };
        let column = |expr: &Expr| match expr {
            Expr::Identifier(ident) => Some((false, ident.value.to_lowercase())),
            Expr::CompoundIdentifier(parts) => {
                let is_old = parts[0].value.eq_ignore_ascii_case("old");
                parts.last().map(|name| (is_old, name.value.to_lowercase()))
            }
            _ => None,
        };
        let (Some((left_old, a)), Some((right_old, b))) = (column(left), column(right)) else {
            return false;
        };
        let identifies = self.setting.identity.iter().any(|key| key.to_lowercase() == a);
        let same_table = target.last().map(|t| t.to_lowercase()) == self.parts(base).last().map(|t| t.to_lowercase());
        *op == sqlparser::ast::BinaryOperator::Eq && left_old != right_old && a == b && identifies && same_table
    }

    fn sole_statement(&self, sql: &str) -> Option<Statement> {
        let mut statements = Parser::parse_sql(grammar(self.setting.dialect), sql).ok()?;
        statements.pop().filter(|_| statements.is_empty())
    }
}

/// Returns the name under which a view shows a column, and its own; nothing inside for all columns as they are.
fn column(item: &SelectItem) -> Option<Option<(Ident, Ident)>> {
    let name = |expr: &Expr| match expr {
        Expr::Identifier(ident) => Some(ident.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().cloned(),
        _ => None,
    };
    match item {
        SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => Some(None),
        SelectItem::UnnamedExpr(expr) => name(expr).map(|base| Some((base.clone(), base))),
        SelectItem::ExprWithAlias { expr, alias } => name(expr).map(|base| Some((alias.clone(), base))),
        _ => None,
    }
}
