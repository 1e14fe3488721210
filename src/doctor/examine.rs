//! The steps in their order, each of which the next one stands on.

use super::address::{Address, Place};
use super::model::{Examination, State, Step, Topic};
use super::reach::reach;
use super::sight;
use crate::catalog::{self, Ask, AskTable, Error, ErrorKind, Further, HEARTBEATS, Stage, Survey, explain_opening};
use crate::config::{Scheme, Target};
use crate::text::Text;

/// So many tables show what a role sees.
const MANY: usize = 500;

/// Examines a place.
pub async fn examine(target: &Target) -> Examination {
    let mut steps = Vec::new();
    if let Err(obstacle) = walk(target, &mut steps).await {
        steps.push(obstacle);
    }
    Examination {
        target: Text::new(&target.name),
        database: Text::new(target.place.to_string()),
        healthy: steps.iter().all(|step| step.state != State::Problem),
        steps,
    }
}

/// Says that an examination was given up before its end.
pub fn given_up(target: &Target, error: Error) -> Examination {
    Examination {
        target: Text::new(&target.name),
        database: Text::new(target.place.to_string()),
        healthy: false,
        steps: vec![Step::failed(Topic::Limits, error)],
    }
}

/// Takes the steps; an error is the obstacle at which the way ends.
async fn walk(target: &Target, steps: &mut Vec<Step>) -> Result<(), Step> {
    let limits = target.limits;
    let url = target.place.open().await;
    let url = &url.map_err(|error| match error.stage {
        Stage::Tls => Step::failed(Topic::Tls, error),
        _ => Step::failed(Topic::Login, error),
    })?;
    let Some(address) = Address::of(url) else {
        let error = explain_opening(url, sqlx::Error::Configuration("the URL".into()));
        return Err(Step::failed(Topic::Login, error));
    };
    reach(url, &address, limits, steps).await?;
    let namespace = target.namespace.as_deref();
    let survey = catalog::survey(url, namespace, limits).await;
    let survey = survey.map_err(|error| Step::failed(topic(&address, &error), error))?;
    steps.extend(sight::of_way(&address, &survey));
    if url.scheme() == Scheme::Postgres {
        let pooled = catalog::goes_through_pooler(url, limits).await;
        steps.extend(sight::of_pooler(pooled, &address, &survey));
    } else {
        steps.extend(sight::of_pooler(None, &address, &survey));
    }
    let further = Further {
        jobs: true,
        ..Further::default()
    };
    let catalog = catalog::fetch_with(url, &question(target, &survey), further).await;
    let catalog = catalog.map_err(|error| Step::failed(topic(&address, &error), error))?;
    steps.extend(sight::of_session(&catalog.server));
    steps.extend(sight::of_objects(&catalog, &survey));
    steps.extend(sight::of_time(&catalog.server, &survey));
    Ok(())
}

/// Asks for every table that is there, and for the record of runners outside, which tells a role that sees nothing from a
/// place where nothing is.
fn question(target: &Target, survey: &Survey) -> Ask {
    let names = survey.tables.iter().take(MANY).map(String::as_str);
    let outside = (!survey.has_heartbeats).then_some(HEARTBEATS);
    let tables = names.chain(outside).map(|name| AskTable {
        name: name.to_owned(),
        indexes: Vec::new(),
    });
    Ask {
        namespace: target.namespace.clone(),
        tables: tables.collect(),
        limits: target.limits,
    }
}

/// Returns the step at which a place was given up.
fn topic(address: &Address, error: &Error) -> Topic {
    match (error.stage, &address.place) {
        _ if error.kind == ErrorKind::Unsupported => Topic::Version,
        (Stage::Reach, Place::File) => Topic::File,
        (Stage::Reach, _) => Topic::Server,
        (Stage::Tls, _) => Topic::Tls,
        (Stage::Login, _) => Topic::Login,
        (Stage::Read, _) => Topic::ReadOnly,
    }
}
