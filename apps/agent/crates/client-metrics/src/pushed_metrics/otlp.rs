//! Reads the data points of OpenTelemetry's MetricsData as clients push it. Parses the bytes in place without building
//! messages, because that could take up to a hundred times the size of a malicious payload.
//!
//! For the field numbers, see opentelemetry/proto/metrics/v1/metrics.proto and common/v1/common.proto.

/// The payload is not valid protobuf of this type.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the payload is not OTLP metrics data")]
pub(super) struct Malformed;

const RESOURCE_METRICS: u32 = 1;
const SCOPE_METRICS: u32 = 2;
const METRICS: u32 = 2;
const METRIC_NAME: u32 = 1;
const METRIC_GAUGE: u32 = 5;
const METRIC_SUM: u32 = 7;
const DATA_POINTS: u32 = 1;
const POINT_DOUBLE: u32 = 4;
const POINT_INTEGER: u32 = 6;
const POINT_ATTRIBUTES: u32 = 7;
const ATTRIBUTE_KEY: u32 = 1;

const VARINT: u8 = 0;
const FIXED_64: u8 = 1;
const LENGTH_DELIMITED: u8 = 2;
const FIXED_32: u8 = 5;

enum Value<'a> {
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Other,
}

/// The fields of a message, in order.
struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<Option<(u32, Value<'a>)>, Malformed> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let number = u32::try_from(key >> 3)
            .ok()
            .filter(|number| *number > 0)
            .ok_or(Malformed)?;
        let value = match (key & 7) as u8 {
            VARINT => self.varint().map(|_| Value::Other)?,
            FIXED_64 => {
                let (value, rest) = self.rest.split_first_chunk().ok_or(Malformed)?;
                self.rest = rest;
                Value::Fixed64(*value)
            }
            LENGTH_DELIMITED => {
                let len = usize::try_from(self.varint()?).map_err(|_| Malformed)?;
                Value::Bytes(self.take(len)?)
            }
            FIXED_32 => self.take(4).map(|_| Value::Other)?,
            _ => return Err(Malformed),
        };
        Ok(Some((number, value)))
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first().ok_or(Malformed)?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }
}

/// Calls `each` with the messages in the field.
fn messages<'a>(
    message: &'a [u8],
    field: u32,
    mut each: impl FnMut(&'a [u8]) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let mut fields = Fields { rest: message };
    while let Some((number, value)) = fields.next()? {
        if let (true, Value::Bytes(inner)) = (number == field, value) {
            each(inner)?;
        }
    }
    Ok(())
}

/// A value of a metric.
#[derive(Debug, PartialEq)]
pub(super) struct Point {
    pub(super) value: f64,
    /// True if the value is for a single topic or partition.
    pub(super) is_of_topic: bool,
}

/// Calls `each` for every gauge and sum metric with its name and points.
///
/// # Errors
/// Returns an error if the bytes are malformed. Metrics before that have already been passed to `each`.
pub(super) fn read<'a>(data: &'a [u8], mut each: impl FnMut(&'a str, Vec<Point>)) -> Result<(), Malformed> {
    messages(data, RESOURCE_METRICS, |resource| {
        messages(resource, SCOPE_METRICS, |scope| {
            messages(scope, METRICS, |metric| {
                if let Some(name) = name_of(metric)? {
                    let points = points_of(metric)?;
                    each(name, points);
                }
                Ok(())
            })
        })
    })
}

/// Returns `None` if the metric is not kept.
fn name_of(metric: &[u8]) -> Result<Option<&str>, Malformed> {
    let mut name = None;
    messages(metric, METRIC_NAME, |bytes| {
        name = Some(std::str::from_utf8(bytes).map_err(|_| Malformed)?);
        Ok(())
    })?;
    Ok(name.filter(|name| super::names::metric_of(name).is_some()))
}

fn points_of(metric: &[u8]) -> Result<Vec<Point>, Malformed> {
    let mut points = Vec::new();
    for field in [METRIC_GAUGE, METRIC_SUM] {
        messages(metric, field, |data| {
            messages(data, DATA_POINTS, |point| {
                points.extend(point_of(point)?);
                Ok(())
            })
        })?;
    }
    Ok(points)
}

/// Returns `None` if the point has no value.
fn point_of(message: &[u8]) -> Result<Option<Point>, Malformed> {
    let (mut value, mut is_of_topic) = (None, false);
    let mut fields = Fields { rest: message };
    while let Some(field) = fields.next()? {
        match field {
            (POINT_DOUBLE, Value::Fixed64(bytes)) => value = Some(f64::from_le_bytes(bytes)),
            (POINT_INTEGER, Value::Fixed64(bytes)) => value = Some(i64::from_le_bytes(bytes) as f64),
            (POINT_ATTRIBUTES, Value::Bytes(attribute)) => messages(attribute, ATTRIBUTE_KEY, |key| {
                is_of_topic |= [&b"topic"[..], b"partition"].contains(&key);
                Ok(())
            })?,
            _ => {}
        }
    }
    Ok(value.map(|value| Point { value, is_of_topic }))
}
