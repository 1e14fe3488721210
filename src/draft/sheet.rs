//! A spec in the making, with the remarks that its file gets as comments.

use crate::spec::{At, ColumnSpec, Position, Remarks, Spec, Spot, TableSpec, Wanted};

/// Where everything stands that was never written.
const NOWHERE: Position = Position {
    line: 1,
    column: 1,
    length: 1,
};

/// Puts a value into a spec that has no file yet.
pub(super) fn unwritten<T>(value: T) -> At<T> {
    At::new(value, NOWHERE)
}

/// A spec in the making.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) spec: Spec,
    pub(super) remarks: Remarks,
}

impl Sheet {
    /// Makes an empty sheet.
    pub(super) fn new(service: &str) -> Self {
        Self {
            spec: Spec {
                file: "draft.yaml".to_owned(),
                text: "".into(),
                service: unwritten(service.to_owned()),
                summary: None,
                owner: None,
                sources: Vec::new(),
                tables: Vec::new(),
            },
            remarks: Remarks::default(),
        }
    }

    /// Puts a remark on something of a table.
    pub(super) fn remark(&mut self, table: &str, spot: Spot, text: impl Into<String>) {
        self.remarks.add(table, spot, text.into());
    }

    /// Returns a table.
    pub(super) fn table(&mut self, name: &str) -> Option<&mut TableSpec> {
        self.spec.tables.iter_mut().find(|t| t.name.value == name)
    }

    /// Returns a column.
    pub(super) fn column(&mut self, table: &str, column: &str) -> Option<&mut ColumnSpec> {
        let columns = &mut self.table(table)?.columns;
        columns.iter_mut().find(|c| c.name.value == column)
    }
}

/// Opens a stated fact, keeping what it says as the guess; tells whether there was anything to open.
pub(super) fn open<T>(fact: &mut At<Wanted<T>>) -> bool {
    match std::mem::replace(&mut fact.value, Wanted::Unconfirmed(None)) {
        Wanted::Is(value) => {
            fact.value = Wanted::Unconfirmed(Some(value));
            true
        }
        Wanted::Silent => true,
        other => {
            fact.value = other;
            false
        }
    }
}
