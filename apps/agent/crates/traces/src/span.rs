//! A span and its children. A span that is off or not sampled costs one branch. It ends when it is dropped.

use std::borrow::Cow;
use std::future::Future;

use opentelemetry::trace::{
    Span as _, SpanBuilder, SpanContext, SpanKind, Status, TraceContextExt as _, TraceFlags, Tracer as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{SdkTracer, Span as SdkSpan};

tokio::task_local! {
    /// The parent of the spans of outgoing calls.
    static CURRENT: Option<Parent>;
}

/// Converts a count to an attribute value.
#[must_use]
pub fn count(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A span that can have children, here or in another process.
#[derive(Debug, Clone)]
pub struct Parent {
    tracer: SdkTracer,
    context: SpanContext,
}

impl Parent {
    /// Creates a child span. Children of unsampled spans are not recorded.
    #[must_use]
    pub fn child(&self, name: impl Into<Cow<'static, str>>, kind: SpanKind) -> Span {
        if !self.context.is_sampled() {
            return Span(State::Unsampled(self.clone()));
        }
        let context = Context::new().with_remote_span_context(self.context.clone());
        Span::begin(&self.tracer, &context, name, kind)
    }
}

/// A span that has not ended.
#[derive(Debug, Default)]
pub struct Span(State);

#[derive(Debug, Default)]
enum State {
    #[default]
    Off,
    /// Only its place in the trace is known, so that other processes make the same decision.
    Unsampled(Parent),
    Recording(Box<Recording>),
}

#[derive(Debug)]
struct Recording {
    span: SdkSpan,
    parent: Parent,
}

impl Span {
    pub(crate) fn begin(
        tracer: &SdkTracer,
        context: &Context,
        name: impl Into<Cow<'static, str>>,
        kind: SpanKind,
    ) -> Self {
        let span = tracer.build_with_context(SpanBuilder::from_name(name).with_kind(kind), context);
        let parent = Parent {
            tracer: tracer.clone(),
            context: span.span_context().clone(),
        };
        Self(if span.is_recording() {
            State::Recording(Box::new(Recording { span, parent }))
        } else if parent.context.is_valid() {
            State::Unsampled(parent)
        } else {
            State::Off
        })
    }

    /// Returns true if the span will be exported.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        matches!(self.0, State::Recording(_))
    }

    /// Returns true if tracing is off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        matches!(self.0, State::Off)
    }

    /// Returns the parent for child spans.
    #[must_use]
    pub fn parent(&self) -> Option<&Parent> {
        match &self.0 {
            State::Off => None,
            State::Unsampled(parent) => Some(parent),
            State::Recording(recording) => Some(&recording.parent),
        }
    }

    /// Creates a child of this span.
    #[must_use]
    pub fn child(&self, name: impl Into<Cow<'static, str>>, kind: SpanKind) -> Self {
        self.parent()
            .map_or_else(Self::default, |parent| parent.child(name, kind))
    }

    /// Runs `future` so that [`child_of_current`] creates children of this span.
    pub fn in_scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        in_scope_of(self.parent().cloned(), future)
    }

    /// Adds attributes, which are computed only if the span is recorded. Never add data, keys or secrets.
    pub fn describe(&mut self, facts: impl FnOnce() -> Vec<KeyValue>) {
        if let State::Recording(recording) = &mut self.0 {
            recording.span.set_attributes(facts());
        }
    }

    /// Sets a name that was not known at the start.
    pub fn rename(&mut self, name: impl FnOnce() -> String) {
        if let State::Recording(recording) = &mut self.0 {
            recording.span.update_name(name());
        }
    }

    /// Adds an event to the span.
    pub fn event(&mut self, name: &'static str, facts: impl FnOnce() -> Vec<KeyValue>) {
        if let State::Recording(recording) = &mut self.0 {
            recording.span.add_event(name, facts());
        }
    }

    /// Marks the span as failed. `error_type` must be one of a few values, because free text may contain secrets.
    pub fn fail(&mut self, error_type: impl FnOnce() -> String) {
        if let State::Recording(recording) = &mut self.0 {
            let error_type = error_type();
            recording
                .span
                .set_attribute(KeyValue::new("error.type", error_type.clone()));
            recording.span.set_status(Status::error(error_type));
        }
    }

    /// Links this span to `other` without making either a child.
    pub fn link(&mut self, other: &Self) {
        if let (State::Recording(recording), Some(other)) = (&mut self.0, other.parent()) {
            recording.span.add_link(other.context.clone(), Vec::new());
        }
    }

    /// The value of header `traceparent` for calls to other systems (W3C Trace Context, version 00).
    #[must_use]
    pub fn traceparent(&self) -> Option<String> {
        let context = &self.parent()?.context;
        let flags = (context.trace_flags() & TraceFlags::SAMPLED).to_u8();
        Some(format!("00-{}-{}-{flags:02x}", context.trace_id(), context.span_id()))
    }
}

/// Runs `future` so that [`child_of_current`] creates children of `parent`.
pub fn in_scope_of<F: Future>(parent: Option<Parent>, future: F) -> impl Future<Output = F::Output> + use<F> {
    CURRENT.scope(parent, future)
}

/// Returns the parent used by [`child_of_current`], to pass it to another task.
#[must_use]
pub fn current() -> Option<Parent> {
    CURRENT.try_with(Clone::clone).ok().flatten()
}

/// Creates a child of the span in whose scope this runs. Off outside of any scope.
#[must_use]
pub fn child_of_current(name: impl Into<Cow<'static, str>>, kind: SpanKind) -> Span {
    CURRENT
        .try_with(|current| current.as_ref().map(|parent| parent.child(name, kind)))
        .ok()
        .flatten()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{recording, recording_share};
    use crate::traces::Traces;

    #[test]
    fn without_tracing_nothing_is_computed_and_no_header_is_sent() {
        let mut span = Traces::off().root("produce", SpanKind::Server);
        span.describe(|| unreachable!("facts of a span that is off"));
        span.fail(|| unreachable!("the failure of a span that is off"));
        assert!(span.is_off());
        assert!(span.child("flush", SpanKind::Internal).is_off());
        assert_eq!(span.traceparent(), None);
    }

    #[tokio::test]
    async fn a_nested_call_belongs_to_the_span_of_its_scope() {
        let (traces, recorded) = recording();
        let root = traces.root("fetch", SpanKind::Server);
        let inner = root
            .in_scope(async { child_of_current("GET", SpanKind::Client).traceparent() })
            .await;
        assert!(child_of_current("GET", SpanKind::Client).is_off());
        drop(root);
        let spans = recorded.spans();
        let [get, fetch] = spans.as_slice() else {
            panic!("{spans:?}")
        };
        assert_eq!(get.parent_span_id, fetch.span_context.span_id());
        let context = &get.span_context;
        assert_eq!(
            inner,
            Some(format!("00-{}-{}-01", context.trace_id(), context.span_id()))
        );
    }

    #[test]
    fn an_unsampled_trace_is_not_recorded_and_others_are_told_so() {
        let (traces, recorded) = recording_share(0.0);
        let mut root = traces.root("produce", SpanKind::Server);
        root.describe(|| unreachable!("facts of a span that is not sampled"));
        let header = root.child("flush", SpanKind::Internal).traceparent().unwrap();
        assert!(header.starts_with("00-") && header.ends_with("-00"), "{header}");
        drop(root);
        assert!(recorded.spans().is_empty());
    }

    #[test]
    fn a_failure_sets_status_and_type_and_a_link_names_its_span() {
        let (traces, recorded) = recording();
        let (mut flush, other) = (
            traces.root("flush", SpanKind::Internal),
            traces.root("produce", SpanKind::Server),
        );
        flush.link(&other);
        flush.fail(|| "timeout".to_owned());
        drop((flush, other));
        let spans = recorded.spans();
        assert_eq!(spans[0].status, Status::error("timeout"));
        assert_eq!(spans[0].attributes, [KeyValue::new("error.type", "timeout")]);
        assert_eq!(spans[0].links.links[0].span_context, spans[1].span_context);
    }
}
