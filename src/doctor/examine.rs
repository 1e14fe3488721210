//! The steps in their order, each of which the next one stands on.

use super::address::{Address, Place};
use super::model::{Examination, State, Step, Topic};
use super::reach::reach;
use super::sight;
use crate::catalog::{
    self, Ask, AskTable, Error, ErrorKind, Further, HEARTBEATS, Limits, Stage, Survey, explain_opening,
};
use crate::config::{self, Scheme};
use crate::text::Text;

/// So many tables show what a role sees.
const MANY: usize = 500;

/// A place to be examined.
#[derive(Clone, Debug)]
pub struct Patient {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub place: config::Place,
    /// The namespace to look in; the dialect's own where absent.
    pub namespace: Option<String>,
    /// How long anything may take.
    pub limits: Limits,
}

/// Examines a place.
pub async fn examine(patient: &Patient) -> Examination {
    let mut steps = Vec::new();
    if let Err(obstacle) = walk(patient, &mut steps).await {
        steps.push(obstacle);
    }
    Examination {
        target: Text::new(&patient.name),
        database: Text::new(patient.place.to_string()),
        healthy: steps.iter().all(|step| step.state != State::Problem),
        steps,
    }
}

/// Takes the steps; an error is the obstacle at which the way ends.
async fn walk(patient: &Patient, steps: &mut Vec<Step>) -> Result<(), Step> {
    let limits = patient.limits;
    let url = patient.place.open().await;
    let url = &url.map_err(|error| Step::failed(Topic::Login, error))?;
    let Some(address) = Address::of(url) else {
        let error = explain_opening(url, sqlx::Error::Configuration("the URL".into()));
        return Err(Step::failed(Topic::Login, error));
    };
    reach(url, &address, limits, steps).await?;
    let namespace = patient.namespace.as_deref();
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
    let catalog = catalog::fetch_with(url, &question(patient, &survey), further).await;
    let catalog = catalog.map_err(|error| Step::failed(topic(&address, &error), error))?;
    steps.extend(sight::of_session(&catalog.server));
    steps.extend(sight::of_objects(&catalog, &survey));
    steps.extend(sight::of_time(&catalog.server, &survey));
    Ok(())
}

/// Asks for every table that is there, and for the record of runners outside, which tells a role that sees nothing from a
/// place where nothing is.
fn question(patient: &Patient, survey: &Survey) -> Ask {
    let names = survey.tables.iter().take(MANY).map(String::as_str);
    let outside = (!survey.has_heartbeats).then_some(HEARTBEATS);
    let tables = names.chain(outside).map(|name| AskTable {
        name: name.to_owned(),
        indexes: Vec::new(),
    });
    Ask {
        namespace: patient.namespace.clone(),
        tables: tables.collect(),
        limits: patient.limits,
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
