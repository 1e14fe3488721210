//! The page. `UPDATE_EXPECT=1 cargo test --lib describe` rewrites the examples in `golden/`.

use std::fmt::Write as _;

use super::diagram::diagram;
use super::open::open_points;
use crate::report::{markdown_code as code, markdown_prose as prose};
use crate::retention::{danger, print_length, safe_bound};
use crate::spec::{
    ColumnSpec, CompareSpec, IndexSpec, KeyExprSpec, KeyPartSpec, LedgerSpec, Role, Spec, Status, TableSpec, TypeSpec,
    Wanted, print_duration,
};

/// Writes the page of a spec.
pub fn describe(spec: &Spec) -> String {
    let mut page = Page::default();
    page.line(&format!("# {}", prose(&spec.service.value)));
    if let Some(summary) = &spec.summary {
        page.paragraph(&prose(summary));
    }
    let mut facts = vec![format!("- Spec: {}", code(&spec.file))];
    facts.push(match &spec.owner {
        Some(owner) => format!("- Owner: {}", code(owner)),
        None => "- Owner: not named".to_owned(),
    });
    facts.extend(spec.sources.iter().map(|source| {
        let reviewed = match &source.reviewed {
            Some(day) => format!(", reviewed {day}"),
            None => ", never reviewed".to_owned(),
        };
        format!("- Source: {}{reviewed}", prose(&source.title))
    }));
    page.paragraph(&facts.join("\n"));
    page.paragraph(diagram(spec).trim_end());
    for table in &spec.tables {
        write_table(&mut page, table);
    }
    write_open(&mut page, spec);
    page.0
}

/// Markdown in the making: blocks with an empty line between.
#[derive(Default)]
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{text}");
    }

    fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.0, "\n{text}");
    }

    fn rows(&mut self, head: &str, rows: &[String]) {
        let columns = head.matches('|').count() - 1;
        let _ = writeln!(self.0, "\n{head}\n|{}", "---|".repeat(columns));
        for row in rows {
            let _ = writeln!(self.0, "{row}");
        }
    }
}

fn write_table(page: &mut Page, table: &TableSpec) {
    page.paragraph(&format!("## {}", prose(&table.name.value)));
    let role = match table.role {
        Role::Ledger => "A ledger: one row per event that the service has consumed.",
        Role::Outbox => "An outbox: events that wait to be sent.",
        Role::Projection => "A projection: a read model fed by events.",
        Role::Audit => "An audit trail.",
        Role::Plain => "A table without a special role.",
    };
    let status = match table.status {
        Status::Implemented => "",
        Status::Unused => " It is modelled and not in use: rows in it are a surprise.",
    };
    let confirmed = if table.confirmed {
        ""
    } else {
        " Nobody has confirmed that the service needs it."
    };
    page.paragraph(&format!("{role}{status}{confirmed}"));
    let rows: Vec<String> = table.columns.iter().map(column_row).collect();
    page.rows("| column | type | NULL | default | also |", &rows);
    write_keys(page, table);
    if let Some(ledger) = &table.ledger {
        write_ledger(page, table, ledger);
    }
    if let (Some(retention), None) = (&table.retention, &table.ledger) {
        page.paragraph(&format!(
            "Rows are removed when {} is {} ago.",
            code(&retention.column.value),
            print_duration(retention.horizon.value)
        ));
    }
}

fn column_row(column: &ColumnSpec) -> String {
    let ty = fact(&column.ty.value, |ty| code(&print_type(ty))).unwrap_or_default();
    let null = fact(&column.nullable.value, |null| {
        if *null { "yes" } else { "no" }.to_owned()
    })
    .unwrap_or_default();
    let default = fact(&column.default.value, |default| code(&default.print())).unwrap_or_default();
    let mut also = Vec::new();
    also.extend((!column.confirmed).then(|| "unconfirmed".to_owned()));
    also.extend(fact(&column.identity.value, |_| "numbered by the server".to_owned()));
    also.extend(fact(&column.generated.value, |sql| {
        format!("computed as {}", code(sql))
    }));
    also.extend(fact(&column.collation.value, |name| {
        format!("collation {}", code(name))
    }));
    also.extend(fact(&column.compare.value, |compare| {
        match compare {
            CompareSpec::CaseSensitive => "letter case counts",
            CompareSpec::Bytes => "every byte counts",
        }
        .to_owned()
    }));
    also.extend(fact(&column.values.value, |values| {
        let values: Vec<String> = values.iter().map(|value| code(value)).collect();
        format!("one of {}", values.join(", "))
    }));
    let name = code(&column.name.value);
    format!("| {name} | {ty} | {null} | {default} | {} |", also.join("; "))
}

fn print_type(ty: &TypeSpec) -> String {
    let pins = ty
        .pins
        .iter()
        .map(|(dialect, data)| format!("{data} on {}", dialect.title()));
    let all: Vec<String> = ty.any.iter().map(ToString::to_string).chain(pins).collect();
    all.join(", ")
}

/// Writes a fact and whether it is open; nothing where the spec is silent.
fn fact<T>(fact: &Wanted<T>, print: impl Fn(&T) -> String) -> Option<String> {
    match fact {
        Wanted::Silent => None,
        Wanted::Is(value) => Some(print(value)),
        Wanted::Unconfirmed(None) => Some("unconfirmed".to_owned()),
        Wanted::Unconfirmed(Some(value)) => Some(format!("{} (unconfirmed)", print(value))),
    }
}

fn write_keys(page: &mut Page, table: &TableSpec) {
    let mut rows = Vec::new();
    if let Some(key) = fact(&table.primary_key.value, |names| {
        names.iter().map(|n| code(n)).collect::<Vec<_>>().join(", ")
    }) {
        rows.push(format!("| primary key | {key} | yes | |"));
    }
    rows.extend(table.indexes.iter().map(index_row));
    if !rows.is_empty() {
        page.rows("| key or index | over | refuses duplicates | also |", &rows);
    }
    let checks: Vec<String> = table
        .checks
        .iter()
        .map(|check| {
            let open = if check.confirmed { "" } else { " (unconfirmed)" };
            format!("| {} | {}{open} |", code(&check.name.value), code(&check.sql.value))
        })
        .collect();
    if !checks.is_empty() {
        page.rows("| check | lets in |", &checks);
    }
}

fn index_row(index: &IndexSpec) -> String {
    let parts: Vec<String> = index.key.value.iter().map(part).collect();
    let mut also = Vec::new();
    also.extend((!index.confirmed).then(|| "unconfirmed".to_owned()));
    also.extend(
        index
            .predicate
            .iter()
            .map(|sql| format!("only where {}", code(&sql.value))),
    );
    also.extend(index.include.iter().map(|names| {
        let names: Vec<String> = names.value.iter().map(|name| code(name)).collect();
        format!("carries {}", names.join(", "))
    }));
    also.extend(index.nulls_distinct.iter().map(|distinct| match distinct.value {
        true => "NULLs are no duplicates".to_owned(),
        false => "NULLs are duplicates".to_owned(),
    }));
    let unique = if index.unique.value { "yes" } else { "no" };
    format!(
        "| {} | {} | {unique} | {} |",
        code(&index.name.value),
        parts.join(", "),
        also.join("; ")
    )
}

fn part(part: &KeyPartSpec) -> String {
    let what = match &part.expr {
        KeyExprSpec::Column(name) => code(name),
        KeyExprSpec::Sql(sql) => code(sql),
    };
    match part.descending {
        Some(true) => format!("{what} descending"),
        Some(false) => format!("{what} ascending"),
        None => what,
    }
}

fn write_ledger(page: &mut Page, table: &TableSpec, ledger: &LedgerSpec) {
    page.paragraph("### What keeps an event from being processed twice");
    let mut lines = vec![format!("- An event is known by {}.", code(&ledger.event_id.value))];
    if let Some(column) = &ledger.recorded_at {
        lines.push(format!("- {} holds when it was recorded.", code(&column.value)));
    }
    let open = if ledger.confirmed { "" } else { " (unconfirmed)" };
    lines.push(match &ledger.staleness_window {
        None => "- How late an event may come is not stated, so no horizon can be shown to be safe.".to_owned(),
        Some(window) if window.value.is_zero() => {
            "- The staleness guard is off: an event may come at any time.".to_owned()
        }
        Some(window) => format!(
            "- An event older than {} is refused as stale{open}.",
            print_duration(window.value)
        ),
    });
    page.paragraph(&lines.join("\n"));
    let Some(retention) = &table.retention else {
        page.paragraph("The spec says nothing about how long rows are kept.");
        return;
    };
    let mut lines = vec![format!(
        "- Rows are removed when {} is {} ago{}.",
        code(&retention.column.value),
        print_duration(retention.horizon.value),
        if retention.confirmed { "" } else { " (unconfirmed)" }
    )];
    if let Some(bound) = safe_bound(ledger) {
        lines.push(format!(
            "- {} = **{}**: a row must stay for longer than this.",
            sum(ledger),
            print_length(bound)
        ));
    }
    lines.push(match danger(table) {
        Some(danger) => format!("- **Not safe**: {}. {}", prose(&danger.message), prose(&danger.help)),
        None if safe_bound(ledger).is_some() => {
            "- Safe: every copy of a forgotten event is refused as stale.".to_owned()
        }
        None => "- Whether that is safe cannot be said.".to_owned(),
    });
    page.paragraph(&lines.join("\n"));
}

/// Writes the sum of which the shortest safe horizon is made.
fn sum(ledger: &LedgerSpec) -> String {
    let length = |window: &Option<crate::spec::At<std::time::Duration>>| {
        window
            .as_ref()
            .map_or_else(|| "0".to_owned(), |window| print_duration(window.value))
    };
    format!(
        "Staleness window {} + 4 × clock skew {} + future dating {}",
        length(&ledger.staleness_window),
        length(&ledger.clock_skew),
        length(&ledger.future_dating)
    )
}

fn write_open(page: &mut Page, spec: &Spec) {
    page.paragraph("## Open points");
    let points = open_points(spec);
    if points.is_empty() {
        page.paragraph("None: every fact of this spec is confirmed.");
        return;
    }
    let owner = spec.owner.as_deref().map_or_else(|| "nobody is named".to_owned(), code);
    let rows: Vec<String> = points
        .iter()
        .map(|point| {
            let object = match &point.part {
                Some(part) => format!("{}.{}", point.table, part),
                None => point.table.clone(),
            };
            let guess = point.guess.as_deref().map(code).unwrap_or_default();
            format!(
                "| {} | {} | {guess} | {owner} | {} |",
                code(&object),
                point.fact,
                point.consequence
            )
        })
        .collect();
    page.rows("| of | fact | taken for | who decides | as long as it is open |", &rows);
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

    use super::*;
    use crate::spec::load;

    fn load_spec(path: &str) -> Spec {
        let mut spec = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        path.clone_into(&mut spec.file);
        spec
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the environment says what to rewrite")]
    fn pages_are_as_they_were_looked_at() {
        for (spec, page) in [
            ("specs/notification.yaml", "src/describe/golden/notification.md"),
            (
                "tests/specs/valid/awkward-names.yaml",
                "src/describe/golden/awkward-names.md",
            ),
        ] {
            let wanted = describe(&load_spec(spec));
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&path, wanted).unwrap();
                continue;
            }
            let there = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
            snapbox::assert_data_eq!(wanted, snapbox::Data::text(there).raw());
        }
    }

    #[test]
    fn the_arithmetic_is_written_out_and_judged() {
        let text = |horizon: &str| {
            format!(
                "version: 1\nservice: a\ntables:\n  T:\n    role: ledger\n    columns:\n      C: {{ type: uuid }}\n      \
                 At: {{ type: timestamptz }}\n    primary_key: [C]\n    ledger: {{ event_id: C, staleness_window: 168h, \
                 clock_skew: 5m, future_dating: 5m }}\n    retention: {{ horizon: {horizon}, column: At }}\n"
            )
        };
        let page = |horizon| describe(&crate::spec::parse("a.yaml", &text(horizon)).unwrap());
        // 168 h and five times 5 min.
        assert!(page("14d").contains("= **168h 25m**"), "{}", page("14d"));
        assert!(page("14d").contains("Safe: every copy"));
        assert!(page("7d").contains("**Not safe**") && !page("7d").contains("Safe: every copy"));
        assert!(page("14d").contains("None: every fact of this spec is confirmed."));
    }

    #[test]
    fn open_points_name_who_decides_and_what_follows() {
        let page = describe(&load_spec("specs/asset.yaml"));
        let row = "| <code>ProcessedIntegrationEvents</code> | retention | <code>14d</code> | <code>AssetDbContext</code> | \
                   Rows may be removed too early or never, and no check fails for it. |";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("| default | <code>'Processed'</code> |"), "{page}");
    }

    #[test]
    fn hostile_names_make_no_markup_and_end_no_table() {
        let text = "version: 1\nservice: \"<script>a|b\\n# x\"\ntables:\n  \"```\\n</code> | x \\\"]\":\n    columns:\n      \
                    \"a|b` <b>\": { type: uuid, default: { sql: \"'|`<i>\" } }\n    primary_key: [\"a|b` <b>\"]\n";
        let spec = crate::spec::parse("<img>.yaml", text).unwrap();
        let page = describe(&spec);
        let (mut fences, mut headings, mut cells) = (0, 0, Vec::new());
        for event in Parser::new_ext(&page, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => fences += 1,
                Event::Start(Tag::Heading { .. }) => headings += 1,
                Event::Start(Tag::TableRow | Tag::TableHead) => cells.push(0),
                Event::End(TagEnd::TableCell) => *cells.last_mut().unwrap() += 1,
                Event::InlineHtml(html) | Event::Html(html) => {
                    assert!(matches!(&*html, "<code>" | "</code>" | "<!-- -->"), "{html}\n{page}");
                }
                _ => {}
            }
        }
        // The service, the table and the open points; columns have five cells, keys four.
        assert_eq!((fences, headings), (1, 3), "{page}");
        assert_eq!(cells, [5, 5, 4, 4], "{page}");
    }
}
