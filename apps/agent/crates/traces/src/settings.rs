//! Reads the supported OpenTelemetry environment variables. Errors say what to set instead.
//! https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::TelemetryResourceDetector;
use opentelemetry_sdk::trace::Sampler;
use percent_encoding::percent_decode_str;
use thiserror::Error;
use url::Url;

use crate::export::Batching;

const DEFAULT_ENDPOINT: &str = "http://localhost:4318";
const TRACES_PATH: &str = "/v1/traces";
const DEFAULT_SERVICE_NAME: &str = "penstock-agent";
const SERVICE_NAME: &str = "service.name";

/// An invalid variable, and what to set instead.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{variable} {problem}")]
pub struct SettingsError {
    variable: &'static str,
    problem: String,
}

impl SettingsError {
    fn new(variable: &'static str, problem: impl Into<String>) -> Self {
        Self {
            variable,
            problem: problem.into(),
        }
    }

    pub(crate) fn endpoint(problem: &str) -> Self {
        Self::new("OTEL_EXPORTER_OTLP_ENDPOINT", format!("cannot be used: {problem}"))
    }
}

/// How much is traced, and where traces are sent.
pub struct Settings {
    pub(crate) endpoint: Url,
    /// Timeout of a message to the collector, including retries.
    pub(crate) timeout: Duration,
    pub(crate) sampler: Sampler,
    pub(crate) resource: Resource,
    pub(crate) queue_spans: usize,
    pub(crate) batching: Batching,
}

impl fmt::Debug for Settings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint.as_str();
        out.debug_struct("Settings")
            .field("endpoint", &endpoint)
            .finish_non_exhaustive()
    }
}

/// Looks up a variable by name.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Settings {
    /// Reads the process's environment. `facts` describe the process; OTEL_RESOURCE_ATTRIBUTES takes precedence over
    /// them.
    ///
    /// # Errors
    /// Returns an error for an invalid variable. Header values are never repeated.
    #[expect(
        clippy::disallowed_methods,
        reason = "OpenTelemetry's variables are part of its specification"
    )]
    pub fn from_environment(facts: Vec<KeyValue>) -> Result<Self, SettingsError> {
        Self::read(facts, &|name| {
            std::env::var(name).ok().filter(|value| !value.is_empty())
        })
    }

    /// The endpoint to which spans are sent, for the log.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        self.endpoint.as_str()
    }

    /// Like [`Self::from_environment`], with variables read by `get`. An empty value counts as unset only if `get` says
    /// so.
    ///
    /// # Errors
    /// Returns an error for an invalid variable.
    pub fn read(facts: Vec<KeyValue>, get: Variables<'_>) -> Result<Self, SettingsError> {
        check_protocol(get)?;
        check_compression(get)?;
        check_headers(get)?;
        let queue_spans = number(get, "OTEL_BSP_MAX_QUEUE_SIZE", 2048, 1..=1 << 20)?;
        let max_spans = number(get, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512, 1..=1 << 16)?;
        let delay_ms = number(get, "OTEL_BSP_SCHEDULE_DELAY", 5000, 1..=60_000)?;
        let timeout_ms = match get("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") {
            Some(_) => number(get, "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", 0, 1..=60_000)?,
            None => number(get, "OTEL_EXPORTER_OTLP_TIMEOUT", 10_000, 1..=60_000)?,
        };
        Ok(Self {
            endpoint: endpoint(get)?,
            timeout: Duration::from_millis(timeout_ms as u64),
            sampler: sampler(get)?,
            resource: resource(facts, get)?,
            queue_spans,
            batching: Batching {
                max_spans,
                delay: Duration::from_millis(delay_ms as u64),
            },
        })
    }
}

/// Follows the caller's decision; without one, samples this share of all traces.
pub(crate) fn parent_or_share(share: f64) -> Sampler {
    Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(share)))
}

fn endpoint(get: Variables<'_>) -> Result<Url, SettingsError> {
    let (variable, configured) = match get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
        Some(whole) => ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", whole),
        None => {
            let base = get("OTEL_EXPORTER_OTLP_ENDPOINT").unwrap_or_else(|| DEFAULT_ENDPOINT.to_owned());
            let whole = format!("{}{TRACES_PATH}", base.trim_end_matches('/'));
            ("OTEL_EXPORTER_OTLP_ENDPOINT", whole)
        }
    };
    let refused = |problem: &str| Err(SettingsError::new(variable, problem));
    let Ok(url) = Url::parse(&configured) else {
        return refused("is not a URL: use the collector's address for OTLP over HTTP, e.g. http://localhost:4318");
    };
    if !matches!(url.scheme(), "http" | "https") {
        return refused("must begin with http:// or https://, e.g. http://localhost:4318");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refused("must not contain credentials: set OTEL_EXPORTER_OTLP_HEADERS");
    }
    Ok(url)
}

fn check_protocol(get: Variables<'_>) -> Result<(), SettingsError> {
    for variable in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
        if let Some(protocol) = get(variable).filter(|protocol| protocol != "http/protobuf") {
            return Err(SettingsError::new(
                variable,
                format!(
                    "is '{protocol}': only http/protobuf is supported. Remove the variable, and use the collector's port for OTLP over HTTP (4318)"
                ),
            ));
        }
    }
    Ok(())
}

fn check_compression(get: Variables<'_>) -> Result<(), SettingsError> {
    for variable in [
        "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION",
        "OTEL_EXPORTER_OTLP_COMPRESSION",
    ] {
        if let Some(compression) = get(variable).filter(|compression| compression != "none") {
            return Err(SettingsError::new(
                variable,
                format!("is '{compression}': traces are sent uncompressed. Remove the variable, or set none"),
            ));
        }
    }
    Ok(())
}

/// The exporter reads the headers itself and ignores malformed ones, so a mistake in a password would go unnoticed.
fn check_headers(get: Variables<'_>) -> Result<(), SettingsError> {
    for variable in ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"] {
        for header in get(variable).unwrap_or_default().split_terminator(',') {
            let is_header = header.split_once('=').is_some_and(|(name, value)| {
                let value = percent_decode_str(value.trim()).decode_utf8_lossy().into_owned();
                HeaderName::try_from(name.trim()).is_ok() && !value.is_empty() && HeaderValue::try_from(value).is_ok()
            });
            if !is_header {
                return Err(SettingsError::new(
                    variable,
                    "is not a list of headers: use name=value,name=value, and percent-encode special characters in values (%20 for a space)",
                ));
            }
        }
    }
    Ok(())
}

fn sampler(get: Variables<'_>) -> Result<Sampler, SettingsError> {
    const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
    let share = || match get("OTEL_TRACES_SAMPLER_ARG") {
        None => Ok(1.0),
        Some(configured) => configured
            .parse::<f64>()
            .ok()
            .filter(|share| (0.0..=1.0).contains(share))
            .ok_or_else(|| {
                let problem = format!("is '{configured}': use the share of requests to trace, 0 to 1, e.g. 0.01");
                SettingsError::new("OTEL_TRACES_SAMPLER_ARG", problem)
            }),
    };
    let parent_or = |root: Sampler| Sampler::ParentBased(Box::new(root));
    Ok(match get(SAMPLER).as_deref() {
        None | Some("parentbased_always_on") => parent_or(Sampler::AlwaysOn),
        Some("parentbased_always_off") => parent_or(Sampler::AlwaysOff),
        Some("parentbased_traceidratio") => parent_or_share(share()?),
        Some("always_on") => Sampler::AlwaysOn,
        Some("always_off") => Sampler::AlwaysOff,
        Some("traceidratio") => Sampler::TraceIdRatioBased(share()?),
        Some(other) => {
            let problem = format!(
                "is '{other}': supported are parentbased_traceidratio, parentbased_always_on, parentbased_always_off, traceidratio, \
                 always_on and always_off"
            );
            return Err(SettingsError::new(SAMPLER, problem));
        }
    })
}

fn resource(facts: Vec<KeyValue>, get: Variables<'_>) -> Result<Resource, SettingsError> {
    const ATTRIBUTES: &str = "OTEL_RESOURCE_ATTRIBUTES";
    let configured = get(ATTRIBUTES).unwrap_or_default();
    let mut attributes = Vec::new();
    for pair in configured.split_terminator(',') {
        let decoded = |text: &str| percent_decode_str(text.trim()).decode_utf8_lossy().into_owned();
        match pair.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => {
                attributes.push(KeyValue::new(decoded(key), decoded(value)));
            }
            _ => {
                let problem = format!("contains '{pair}': use name=value,name=value");
                return Err(SettingsError::new(ATTRIBUTES, problem));
            }
        }
    }
    let mut builder = Resource::builder_empty()
        .with_detector(Box::new(TelemetryResourceDetector))
        .with_service_name(DEFAULT_SERVICE_NAME)
        .with_attributes(facts)
        .with_attributes(attributes);
    if let Some(name) = get("OTEL_SERVICE_NAME") {
        builder = builder.with_attribute(KeyValue::new(SERVICE_NAME, name));
    }
    Ok(builder.build())
}

fn number(
    get: Variables<'_>,
    variable: &'static str,
    default: usize,
    range: RangeInclusive<usize>,
) -> Result<usize, SettingsError> {
    let Some(configured) = get(variable) else {
        return Ok(default);
    };
    let parsed = configured.trim().parse().ok().filter(|value| range.contains(value));
    parsed.ok_or_else(|| {
        let problem = format!(
            "is '{configured}': use a whole number from {} to {}",
            range.start(),
            range.end()
        );
        SettingsError::new(variable, problem)
    })
}

#[cfg(test)]
mod tests {
    use opentelemetry::Key;

    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        let facts = vec![KeyValue::new("service.version", "1.2.3")];
        Settings::read(facts, &|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn defaults_to_tracing_everything_to_a_local_collector() {
        let settings = read(&[]).unwrap();
        assert_eq!(settings.endpoint(), "http://localhost:4318/v1/traces");
        assert_eq!(format!("{:?}", settings.sampler), "ParentBased(AlwaysOn)");
        assert_eq!(settings.queue_spans, 2048);
        let name = settings.resource.get(&Key::new(SERVICE_NAME)).unwrap();
        assert_eq!(name.as_str(), DEFAULT_SERVICE_NAME);
    }

    #[test]
    fn standard_variables_set_the_target_share_and_name() {
        let settings = read(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel.example:4318/base/"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "api-key=s3cret,x-scope=a%20b"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
            ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
            ("OTEL_TRACES_SAMPLER_ARG", "0.01"),
            (
                "OTEL_RESOURCE_ATTRIBUTES",
                "deployment.environment.name=prod, service.name=x",
            ),
            ("OTEL_SERVICE_NAME", "streams"),
        ])
        .unwrap();
        assert_eq!(settings.endpoint(), "https://otel.example:4318/base/v1/traces");
        assert_eq!(
            format!("{:?}", settings.sampler),
            "ParentBased(TraceIdRatioBased(0.01))"
        );
        let attribute = |key: &'static str| settings.resource.get(&Key::new(key)).unwrap().to_string();
        assert_eq!(attribute("deployment.environment.name"), "prod");
        assert_eq!(attribute("service.name"), "streams");
        assert_eq!(attribute("service.version"), "1.2.3");
        assert!(!format!("{settings:?}").contains("s3cret"));
    }

    #[test]
    fn uses_an_address_for_traces_unchanged() {
        let settings = read(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://other:4318"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://collector:9000/traces"),
        ])
        .unwrap();
        assert_eq!(settings.endpoint(), "http://collector:9000/traces");
    }

    #[test]
    fn refuses_invalid_values_by_name_with_a_correction() {
        for (variable, value, remedy) in [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector", "http://localhost:4318"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://collector:4317", "http://"),
            (
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "https://me:s3cret@collector",
                "OTEL_EXPORTER_OTLP_HEADERS",
            ),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "4318"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", "none"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "s3cret", "name=value"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "10s", "whole number"),
            ("OTEL_TRACES_SAMPLER", "sometimes", "parentbased_traceidratio"),
            ("OTEL_RESOURCE_ATTRIBUTES", "prod", "name=value"),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "0", "1 to"),
        ] {
            let error = read(&[(variable, value)]).unwrap_err().to_string();
            assert!(error.starts_with(variable) && error.contains(remedy), "{error}");
            assert!(!error.contains("s3cret"), "{error}");
        }
        let share = [
            ("OTEL_TRACES_SAMPLER", "traceidratio"),
            ("OTEL_TRACES_SAMPLER_ARG", "1%"),
        ];
        assert!(read(&share).unwrap_err().to_string().contains("0.01"));
    }
}
