//! Results for the pages: a fleet in every state, one whose every text is hostile, and a very long one.

use seadrift::report::Report;
use serde_json::{Value, json};

/// A name that tries everything a page, a screen and a reader can fall for.
pub(crate) const HOSTILE: &str = "\"'></code></summary></script></style><script>document.title='owned';document.body.\
     remove()</script><img src=x onerror=\"document.title='owned'\"><svg onload=document.title='owned'><link rel=stylesheet \
     href=http://127.0.0.1:9/x.css><style>*{display:none}</style><base href=http://127.0.0.1:9/><form id=filters>\
     javascript:document.title='owned' {{7*7}} &lt;b&gt; \u{202e}gnp\u{202c}\u{1b}[2J\u{9b}31m\u{200b}\u{feff}\r\n::error::x`tick";

/// Reads a report as `seadrift` reads a result.
pub(crate) fn report(value: Value) -> Report {
    serde_json::from_value(value).unwrap()
}

fn frame(targets: &[Value], findings: &[Value]) -> Value {
    let count = |severity: &str| {
        let of = |f: &&Value| f["severity"] == severity && f["waiver"].is_null() && f["baseline"].is_null();
        findings.iter().filter(of).count()
    };
    let checked = targets.iter().filter(|t| t["status"] == "checked").count();
    let incomplete = targets.len() - checked;
    let drift = count("critical") + count("error") > 0;
    json!({
        "schema_version": "1.0",
        "tool": { "name": "seadrift", "version": "0.0.0" },
        "run": {
            "started_at": "2026-11-30T06:00:02.118Z", "finished_at": "2026-11-30T06:00:05.902Z",
            "complete": incomplete == 0, "exit_code": u8::from(drift) + 4 * u8::from(incomplete > 0), "fail_on": "error",
        },
        "targets": targets,
        "findings": findings,
        "summary": {
            "critical": count("critical"), "error": count("error"), "warning": count("warning"), "info": count("info"),
            "waived": findings.iter().filter(|f| !f["waiver"].is_null()).count(),
            "known": findings.iter().filter(|f| !f["baseline"].is_null()).count(),
            "checked": checked, "incomplete": incomplete,
        },
    })
}

fn target(name: &str, service: &str, status: &str) -> Value {
    let seen = status != "unreachable";
    json!({
        "name": name, "service": service, "status": status,
        "dialect": seen.then_some("postgres"), "server_version": seen.then_some("15.18"),
        "database": seen.then_some(service), "namespace": seen.then_some("public"),
        "settings": if seen { json!({ "transaction_read_only": "on", "lock_timeout": "2s" }) } else { json!({}) },
        "coverage": {
            "tables": u8::from(seen), "columns": if seen { 9 } else { 0 }, "indexes": if seen { 3 } else { 0 },
            "constraints": u8::from(seen), "retention_jobs": 0, "queries": if seen { 6 } else { 0 },
        },
        "unverified": [], "unconfirmed": [], "notes": [],
    })
}

/// What is said of a target that does not answer.
fn down(name: &str, service: &str) -> Value {
    let mut down = target(name, service, "unreachable");
    let reason = "The server does not answer: no connection within 10 s.";
    down["reason"] = json!(reason);
    down["unverified"] = json!([{
        "object": { "table": "ProcessedIntegrationEvents", "aspect": "target" }, "required": true, "reason": reason,
        "help": "Check host, port and network policy, and run the check again.",
    }]);
    down
}

fn ledger(part: Value) -> Value {
    let mut object = json!({ "namespace": "public", "table": "ProcessedIntegrationEvents" });
    if let (Some(object), Some(part)) = (object.as_object_mut(), part.as_object()) {
        object.extend(part.clone());
    }
    object
}

/// A finding of a target. The fingerprint is the same in every target, as it is where databases share a name.
fn finding(target: &str, (code, rule, severity): (&str, &str, &str), object: Value, line: u32) -> Value {
    let service = target.rsplit('/').next().unwrap_or(target);
    json!({
        "rule": rule, "code": code, "severity": severity, "fingerprint": format!("{:016x}", line * 7919),
        "target": target, "object": ledger(object), "message": "", "impact": "", "help": "",
        "location": { "file": format!("specs/{service}.yaml"), "line": line, "column": 7, "end_column": 33 },
        "waiver": null,
    })
}

fn with(mut finding: Value, facts: Value) -> Value {
    if let (Some(finding), Some(facts)) = (finding.as_object_mut(), facts.as_object()) {
        finding.extend(facts.clone());
    }
    finding
}

fn no_unique_index(target: &str) -> Value {
    with(
        finding(
            target,
            ("I002", "unique-missing", "critical"),
            json!({ "index": "UX_ProcessedEvents_EventId" }),
            35,
        ),
        json!({
            "expected": "unique (EventId)", "found": "(EventId)",
            "message": "`UX_ProcessedEvents_EventId` is an ordinary index, not a unique one",
            "impact": "Nothing refuses a second row for the same event: a redelivered event can be recorded and processed \
                       twice.",
            "help": "Drop the index of that name first; IF NOT EXISTS would keep it. Remove duplicate rows. Run `CREATE \
                     UNIQUE INDEX CONCURRENTLY \"UX_ProcessedEvents_EventId\" ON \"ProcessedIntegrationEvents\" \
                     (\"EventId\");` outside of a transaction.",
        }),
    )
}

fn short_column(target: &str) -> Value {
    with(
        finding(
            target,
            ("C005", "column-length", "error"),
            json!({ "column": "EventType" }),
            20,
        ),
        json!({
            "expected": "varchar(160)", "found": "varchar(100)",
            "message": "column `EventType` holds 100 characters, the spec promises 160",
            "impact": "Events whose type is longer than 100 characters are refused. The event is not recorded, so every \
                       redelivery runs its effects again.",
            "help": "Run `ALTER TABLE \"ProcessedIntegrationEvents\" ALTER COLUMN \"EventType\" TYPE varchar(160);`. No row \
                     is rewritten; the lock is ACCESS EXCLUSIVE and short.",
        }),
    )
}

fn skipping_trigger(target: &str) -> Value {
    with(
        finding(
            target,
            ("W004", "write-path", "error"),
            json!({ "trigger": "TR_skip_stale" }),
            14,
        ),
        json!({
            "found": "before insert for each row when (NEW.\"Outcome\" = 'Stale'::text)",
            "message": "the trigger `TR_skip_stale` runs before each insert and can drop rows without an error",
            "impact": "An event whose row vanishes is not in the ledger, and is processed again on each redelivery.",
            "help": "Read its body with the owner of the table; move what it does into the service, or drop it.",
        }),
    )
}

fn wide_column(target: &str, waiver: Value) -> Value {
    with(
        finding(
            target,
            ("C005", "column-length", "warning"),
            json!({ "column": "TenantId" }),
            22,
        ),
        json!({
            "expected": "varchar(80)", "found": "varchar(120)",
            "message": "column `TenantId` takes 120 characters, the spec promises 80",
            "impact": "Values can be stored that another reader of the spec has no room for.",
            "help": "Tighten the column, or widen the spec.", "waiver": waiver,
        }),
    )
}

fn spare_index(target: &str) -> Value {
    with(
        finding(
            target,
            ("I010", "index-redundant", "info"),
            json!({ "index": "IX_EventId_old" }),
            31,
        ),
        json!({
            "found": "(EventId)", "message": "the index `IX_EventId_old` does nothing that another one does not do",
            "impact": "Each insert writes it.", "help": "Drop it.",
        }),
    )
}

fn with_open_facts(mut target: Value) -> Value {
    let service = target["service"].as_str().unwrap_or_default().to_owned();
    let at =
        |line: u32| json!({ "file": format!("specs/{service}.yaml"), "line": line, "column": 40, "end_column": 61 });
    target["unconfirmed"] = json!([
        { "object": ledger(json!({ "column": "SourceService", "aspect": "nullability" })), "found": "not null", "location": at(24) },
        { "object": ledger(json!({ "column": "Outcome", "aspect": "default" })), "expected": "'Processed'", "found": "'processed'", "location": at(26) },
        { "object": ledger(json!({ "aspect": "retention" })), "expected": "rows older than 14d are removed", "found": "no job was seen", "location": at(41) },
    ]);
    target
}

/// A waiver as the result lists it.
fn excuse(waiver: &Value, (state, rule, target, object): (&str, &str, &str, &str), facts: Value) -> Value {
    let place = json!({
        "state": state, "rule": rule, "target": target, "object": format!("public.ProcessedIntegrationEvents.{object}"),
        "location": { "file": "seadrift.waivers.yaml", "line": 3, "column": 5, "end_column": 9 },
    });
    with(with(waiver.clone(), place), facts)
}

/// What differs in the ledger, as a target has it.
fn difference(hunks: &str) -> Value {
    json!([{ "object": ledger(json!({})), "diff": hunks }])
}

/// Three services in four places: drifted, waived, lesser, clean, partly seen and not reached.
pub(crate) fn fleet() -> Report {
    let services = ["asset", "notification", "payroll"];
    let mut targets: Vec<Value> = Vec::new();
    for place in ["prod-eu", "prod-us", "staging", "test"] {
        for service in services {
            let name = format!("{place}/{service}");
            targets.push(match name.as_str() {
                "prod-us/payroll" => down(&name, service),
                "prod-eu/payroll" | "staging/asset" => with_open_facts(target(&name, service, "checked")),
                _ => target(&name, service, "checked"),
            });
        }
    }
    let reason =
        "role `drift_ro` may not read the triggers of the table, and the server does not say whether there are any";
    let unseen = |aspect: &str, required: bool| json!({ "object": ledger(json!({ "aspect": aspect })), "required": required, "reason": reason, "help": "Grant TRIGGER on the table." });
    targets[1] = with_open_facts(targets[1].clone());
    targets[1]["status"] = json!("incomplete");
    targets[1]["unverified"] = json!([
        unseen("checks", true),
        unseen("retention", true),
        unseen("write-path", false)
    ]);
    targets[1]["notes"] = json!([
        "4 columns of `ProcessedIntegrationEvents` are not as the spec says: make sure that this \
                                  database belongs to the service `notification`."
    ]);
    for i in [1, 7] {
        targets[i]["diffs"] = difference(
            "@@ -2,9 +2,9 @@\n   Id uuid not null\n   EventId uuid not null\n-  EventType varchar(160) not null\n+  EventType \
             varchar(100) not null\n   TenantId varchar(80) null\n   primary key (Id)\n-  unique index \
             UX_ProcessedEvents_EventId (EventId)\n+  index UX_ProcessedEvents_EventId (EventId)\n",
        );
    }
    targets[3]["diffs"] = difference(
        "@@ -3,3 +3,3 @@\n   EventId uuid not null\n-  EventType varchar(160) not null\n+  EventType varchar(100) not null\n",
    );
    targets[4]["status"] = json!("incomplete");
    targets[4]["unverified"] = json!([unseen("checks", true)]);
    let waiver = json!({
        "id": "W-2026-014", "owner": "@team-notification", "reason": "Widening is queued behind the March release.",
        "ticket": "https://tracker.example/browse/PAY-881", "expires": "2027-02-28", "days_left": 90,
    });
    let lapsed = json!({
        "id": "W-2026-003", "owner": "@team-asset", "reason": "The migration waits for a maintenance window.",
        "expires": "2026-11-27", "days_left": -3,
    });
    let findings = [
        no_unique_index("prod-eu/notification"),
        no_unique_index("staging/notification"),
        short_column("prod-eu/notification"),
        skipping_trigger("prod-eu/notification"),
        with(short_column("prod-us/asset"), json!({ "expired_waiver": lapsed })),
        wide_column("prod-eu/notification", waiver.clone()),
        wide_column("test/asset", Value::Null),
        with(
            spare_index("test/asset"),
            json!({ "baseline": { "first_seen": "2026-10-01", "age_days": 60 } }),
        ),
    ];
    let mut value = frame(&targets, &findings);
    value["waivers"] = json!([
        excuse(
            &waiver,
            ("active", "column-length", "prod-eu/notification", "TenantId"),
            json!({ "found": "varchar(120)", "matched": 1 })
        ),
        excuse(
            &lapsed,
            ("expired", "column-length", "prod-us/asset", "EventType"),
            json!({ "found": "varchar(100)", "matched": 1 })
        ),
        excuse(
            &waiver,
            ("stale", "index-missing", "test/payroll", "IX_Old"),
            json!({ "matched": 0, "note": "nothing is as it says" })
        ),
    ]);
    value["baseline"] =
        json!({ "file": "seadrift.baseline.json", "created": "2026-10-01", "known": 1, "new": 6, "gone": 2 });
    report(value)
}

/// A target that is clean, and whose every fact was seen.
pub(crate) fn clean() -> Report {
    report(frame(&[target("notification", "notification", "checked")], &[]))
}

/// The fleet with the hostile name behind every text that a spec or a database could have written.
pub(crate) fn hostile() -> Report {
    let mut value = serde_json::to_value(fleet()).unwrap();
    poison(&mut value["targets"]);
    poison(&mut value["findings"]);
    poison(&mut value["waivers"]);
    poison(&mut value["baseline"]);
    report(value)
}

fn poison(value: &mut Value) {
    const CHOICES: [&str; 6] = ["severity", "status", "dialect", "aspect", "fail_on", "state"];
    match value {
        Value::String(text) => text.push_str(HOSTILE),
        Value::Array(values) => values.iter_mut().for_each(poison),
        Value::Object(entries) => {
            let closed = |key: &str| CHOICES.contains(&key);
            entries
                .iter_mut()
                .filter(|(key, _)| !closed(key))
                .for_each(|(_, value)| poison(value));
        }
        _ => {}
    }
}

/// A report with as many findings as asked for, in ten targets.
pub(crate) fn long(count: u32) -> Report {
    let names: Vec<String> = (0..10).map(|i| format!("prod-{i}/notification")).collect();
    let targets: Vec<Value> = names
        .iter()
        .map(|name| target(name, "notification", "checked"))
        .collect();
    let findings: Vec<Value> = (0..count)
        .map(|i| {
            // The first target has more than are kept in sight.
            let at = if i % 2 == 0 { 0 } else { i as usize % names.len() };
            let make = [no_unique_index, short_column, skipping_trigger, spare_index][i as usize % 4];
            let mut finding = make(&names[at]);
            finding["fingerprint"] = json!(format!("{i:016x}"));
            finding["object"]["table"] = json!(format!("ProcessedIntegrationEvents_{i}"));
            finding
        })
        .collect();
    report(frame(&targets, &findings))
}
