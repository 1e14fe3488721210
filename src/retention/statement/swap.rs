//! Tables that are made, renamed and dropped: putting an empty one in the place of a ledger forgets everything.

use sqlparser::ast::{
    AlterTableOperation, CreateTable, Insert, ObjectName, ObjectType, RenameTableNameKind, Statement, TableObject,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use super::block::Reader;
use super::words::{is, join};
use super::{Means, Removal, Rows, grammar};

impl Reader<'_> {
    /// Reads a statement that makes, changes or drops something.
    pub(super) fn definition(&mut self, tokens: &[Token]) {
        if let Some(table) = self.emptied_partitions(tokens) {
            let removal = self.removal(&table, Rows::All);
            self.remove(removal, Means::Truncate);
            return;
        }
        let mut parser = Parser::new(grammar(self.setting.dialect)).with_tokens(without_options(tokens));
        let parsed = parser.parse_statement();
        let whole = matches!(parser.peek_token().token, Token::EOF);
        match parsed {
            Ok(Statement::CreateTable(create)) if whole => self.created(&create),
            Ok(Statement::Drop {
                object_type: ObjectType::Table,
                names,
                ..
            }) if whole => {
                for name in &names {
                    self.fresh.remove(&self.bare(name));
                    let removal = self.removal(name, Rows::All);
                    self.remove(removal, Means::Drop);
                }
            }
            Ok(Statement::RenameTable(pairs)) if whole => {
                for pair in &pairs {
                    self.renamed(&pair.old_name, &pair.new_name, tokens);
                }
            }
            Ok(Statement::AlterTable(alter)) if whole => match alter.operations.as_slice() {
                [
                    AlterTableOperation::RenameTable {
                        table_name: RenameTableNameKind::To(new) | RenameTableNameKind::As(new),
                    },
                ] => self.renamed(&alter.name, new, tokens),
                _ => self.odd(tokens),
            },
            _ => self.odd(tokens),
        }
    }

    fn remove(&mut self, removal: Removal, means: Means) {
        self.commits_by_itself();
        self.reading.removals.push(Removal { means, ..removal });
    }

    fn bare(&self, name: &ObjectName) -> String {
        self.parts(name).pop().unwrap_or_default()
    }

    fn created(&mut self, create: &CreateTable) {
        match &create.query {
            None if !create.if_not_exists && !create.temporary => {
                let name = self.bare(&create.name);
                self.fresh.insert(name);
            }
            None => {}
            Some(query) => self.calls(query),
        }
    }

    /// What holds rows is fresh no longer.
    pub(super) fn inserted(&mut self, insert: &Insert) {
        if let TableObject::TableName(name) = &insert.table {
            self.fresh.remove(&self.bare(name));
        }
    }

    fn renamed(&mut self, old: &ObjectName, new: &ObjectName, tokens: &[Token]) {
        let (from, to) = (self.bare(old), self.bare(new));
        if self.fresh.remove(&from) {
            self.fresh.insert(to);
        } else {
            let removal = Removal {
                means: Means::Replace,
                ..self.removal(old, Rows::All)
            };
            self.moved.push((removal, join(tokens)));
        }
    }

    /// Says at the end of a text what took the place of the tables that were renamed.
    pub(super) fn finish(&mut self) {
        let fresh = std::mem::take(&mut self.fresh);
        for (removal, text) in std::mem::take(&mut self.moved) {
            if fresh.contains(&removal.table.name) {
                self.reading.removals.push(removal);
            } else {
                self.unread("it renames the table", &text);
            }
        }
    }

    /// `ALTER TABLE name TRUNCATE PARTITION ALL` of MySQL.
    fn emptied_partitions(&self, tokens: &[Token]) -> Option<ObjectName> {
        let [alter, table, name @ .., truncate, partition, all] = tokens else {
            return None;
        };
        let words = [
            (alter, "alter"),
            (table, "table"),
            (truncate, "truncate"),
            (partition, "partition"),
            (all, "all"),
        ];
        if !self.is_mysql() || !words.iter().all(|(token, wanted)| is(token, wanted)) {
            return None;
        }
        let mut parser = Parser::new(grammar(self.setting.dialect)).with_tokens(name.to_vec());
        let name = parser.parse_object_name(false).ok()?;
        matches!(parser.peek_token().token, Token::EOF).then_some(name)
    }
}

/// Takes `INCLUDING ALL` and its kin out, which the parser does not know.
fn without_options(tokens: &[Token]) -> Vec<Token> {
    let is_option = |at: usize| is(&tokens[at], "including") || is(&tokens[at], "excluding");
    let kept = (0..tokens.len()).filter(|at| !is_option(*at) && !at.checked_sub(1).is_some_and(is_option));
    kept.map(|at| tokens[at].clone()).collect()
}
