//! Jobs outside a database, which run `seadrift retention trim`.

use super::Job;

/// The namespace to name on the command line, if the ledger is not in the usual one.
fn arguments(job: &Job, specs: &str) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "retention",
        "trim",
        "--spec",
        specs,
        "--service",
        &job.service,
        "--table",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(job.policy.table.clone());
    if let Some(namespace) = &job.namespace {
        arguments.extend(["--schema".to_owned(), namespace.clone()]);
    }
    let horizon = crate::spec::print_duration(job.policy.horizon);
    arguments.extend(["--horizon".to_owned(), horizon]);
    arguments
}

/// A name that Kubernetes and systemd take: lower-case letters, digits and hyphens, at most 52 of them.
fn unit_name(job: &Job) -> String {
    let mut name = String::from("seadrift-trim");
    for word in job
        .service
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        name.push('-');
        name.push_str(&word.to_ascii_lowercase());
    }
    name.truncate(52);
    name.trim_end_matches('-').to_owned()
}

/// Writes text as a YAML string: JSON's strings are YAML's, too.
fn yaml(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

pub(super) fn kubernetes(job: &Job) -> String {
    let name = unit_name(job);
    let arguments: String = arguments(job, "/specs")
        .iter()
        // `$(NAME)` in an argument would be replaced.
        .map(|argument| format!("                - {}\n", yaml(&argument.replace("$(", "$$("))))
        .collect();
    // One run ends before the one after the next is due; nothing is lost if it is cut off.
    let deadline = (job.every.seconds() * 2).max(600);
    format!(
        r#"# Before: a ConfigMap `seadrift-specs` with the service's spec, and a Secret `{name}` with the key DATABASE_URL, of a role
# that may delete from the ledger. Put your registry and the image's digest in.
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {name}
  labels:
    app.kubernetes.io/name: seadrift
    app.kubernetes.io/component: retention
spec:
  schedule: {schedule}
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 300
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  suspend: false
  jobTemplate:
    spec:
      backoffLimit: 1
      activeDeadlineSeconds: {deadline}
      template:
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 65532
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: trim
              image: seadrift:{version}
              args:
{arguments}              env:
                - name: DATABASE_URL
                  valueFrom:
                    secretKeyRef:
                      name: {name}
                      key: DATABASE_URL
              resources:
                requests:
                  cpu: 50m
                  memory: 32Mi
                limits:
                  memory: 128Mi
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop: [ALL]
              volumeMounts:
                - name: specs
                  mountPath: /specs
                  readOnly: true
          volumes:
            - name: specs
              configMap:
                name: seadrift-specs
"#,
        schedule = yaml(&job.every.cron()),
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// Writes an argument for a unit's command line: quoted, and with nothing left that systemd would replace.
fn systemd_argument(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            '%' => quoted.push_str("%%"),
            '$' => quoted.push_str("$$"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push_str(&format!("\\x{:02x}", u32::from(c) & 0xff)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

pub(super) fn systemd(job: &Job) -> String {
    let name = unit_name(job);
    let arguments: Vec<String> = arguments(job, "/etc/seadrift/specs")
        .iter()
        .map(|argument| systemd_argument(argument))
        .collect();
    format!(
        "# /etc/systemd/system/{name}.service\n\
         # /etc/seadrift/{name}.env holds DATABASE_URL=…, of a role that may delete from the ledger; owner root, mode 0600.\n\
         [Unit]\n\
         Description=Remove old rows of an idempotency ledger\n\
         Wants=network-online.target\n\
         After=network-online.target\n\
         \n\
         [Service]\n\
         Type=oneshot\n\
         ExecStart=/usr/local/bin/seadrift {arguments}\n\
         EnvironmentFile=/etc/seadrift/{name}.env\n\
         DynamicUser=yes\n\
         NoNewPrivileges=yes\n\
         ProtectSystem=strict\n\
         ProtectHome=yes\n\
         PrivateTmp=yes\n\
         PrivateDevices=yes\n\
         CapabilityBoundingSet=\n\
         RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX\n\
         MemoryMax=128M\n\
         TimeoutStartSec={deadline}\n\
         \n\
         # /etc/systemd/system/{name}.timer\n\
         [Unit]\n\
         Description=Remove old rows of an idempotency ledger regularly\n\
         \n\
         [Timer]\n\
         OnCalendar={calendar}\n\
         Persistent=true\n\
         RandomizedDelaySec=30\n\
         \n\
         [Install]\n\
         WantedBy=timers.target\n",
        arguments = arguments.join(" "),
        deadline = (job.every.seconds() * 2).max(600),
        calendar = job.every.calendar(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::job;
    use super::super::{Every, Scheduler};
    use super::*;

    #[test]
    fn a_manifest_is_yaml_whatever_the_names_are() {
        let mut job = job();
        job.every = Every::Hours(1);
        job.policy.table = "a: \"b\"\n- {{x}} # $(y)".to_owned();
        job.service = "Not.ification".to_owned();
        let manifest: serde_json::Value = serde_yaml::from_str(&job.render(Scheduler::Kubernetes)).unwrap();
        assert_eq!(manifest["metadata"]["name"], "seadrift-trim-not-ification");
        let spec = &manifest["spec"];
        assert_eq!(spec["schedule"], "17 * * * *");
        assert_eq!(spec["concurrencyPolicy"], "Forbid");
        let pod = &spec["jobTemplate"]["spec"]["template"]["spec"];
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        let container = &pod["containers"][0];
        assert_eq!(container["args"][6], "--table");
        assert_eq!(container["args"][7], "a: \"b\"\n- {{x}} # $$(y)");
        assert_eq!(container["env"][0]["valueFrom"]["secretKeyRef"]["key"], "DATABASE_URL");
    }

    #[test]
    fn a_command_line_of_systemd_replaces_nothing() {
        for (text, quoted) in [
            ("plain", "\"plain\""),
            ("a b", "\"a b\""),
            ("%h $HOME", "\"%%h $$HOME\""),
            ("q\"\\\n", "\"q\\\"\\\\\\n\""),
        ] {
            assert_eq!(systemd_argument(text), quoted);
        }
    }

    #[test]
    fn a_timer_runs_the_trimming_of_this_ledger() {
        let units = job().render(Scheduler::Systemd);
        for line in [
            "ExecStart=/usr/local/bin/seadrift \"retention\" \"trim\" \"--spec\" \"/etc/seadrift/specs\" \"--service\" \
             \"notification\" \"--table\" \"ProcessedIntegrationEvents\" \"--schema\" \"public\" \"--horizon\" \"14d\"",
            "OnCalendar=*-*-* *:*:00",
            "Type=oneshot",
        ] {
            assert!(units.lines().any(|found| found == line), "{line} is not in\n{units}");
        }
    }
}
