//! `/metrics`, `/healthz` and `/readyz`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use penstock_http_listener::{ConnectionLimits, HttpListener, serve_http1};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::net::{TcpListener, TcpStream};

use crate::metrics_access::{MetricsToken, metrics_refusal};
use crate::readiness::Readiness;

const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
/// Far more than scrapers and probes need.
const LIMITS: ConnectionLimits = ConnectionLimits {
    max_connections: 256,
    max_age: Duration::from_secs(600),
    head_timeout: Duration::from_secs(30),
};

/// Serves until the task is dropped.
pub(crate) async fn serve(
    listener: TcpListener,
    registry: Arc<Registry>,
    readiness: Arc<Readiness>,
    metrics_token: Option<MetricsToken>,
) {
    let metrics_token = Arc::new(metrics_token);
    let listener = HttpListener::new("metrics", listener, LIMITS);
    let serve_connection = |socket: TcpStream, peer: SocketAddr| {
        let (registry, readiness) = (Arc::clone(&registry), Arc::clone(&readiness));
        let metrics_token = Arc::clone(&metrics_token);
        async move {
            let answer = service_fn(|request: Request<Incoming>| {
                let authorization = request.headers().get(header::AUTHORIZATION);
                let refusal = metrics_refusal(peer.ip(), authorization, metrics_token.as_ref().as_ref());
                let response = respond(&request, refusal, &registry, &readiness);
                async { Ok::<_, Infallible>(response) }
            });
            if let Err(error) = serve_http1(http1::Builder::new(), socket, LIMITS, answer).await {
                tracing::debug!(%error, "HTTP connection failed");
            }
        }
    };
    listener.serve(serve_connection).await;
}

/// Responds to a request. `metrics_refusal` says why this caller may not read metrics, if so.
fn respond<Body>(
    request: &Request<Body>,
    metrics_refusal: Option<&'static str>,
    registry: &Registry,
    readiness: &Readiness,
) -> Response<Full<Bytes>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return text(StatusCode::METHOD_NOT_ALLOWED, TEXT, "only GET is allowed\n".to_owned());
    }
    match request.uri().path() {
        "/metrics" => {
            if let Some(refusal) = metrics_refusal {
                return text(StatusCode::UNAUTHORIZED, TEXT, format!("{refusal}\n"));
            }
            let mut body = String::new();
            match encode(&mut body, registry) {
                Ok(()) => text(StatusCode::OK, OPENMETRICS, body),
                Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, TEXT, format!("{error}\n")),
            }
        }
        "/healthz" => text(StatusCode::OK, TEXT, "ok\n".to_owned()),
        "/readyz" => match readiness.check() {
            Ok(()) => text(StatusCode::OK, TEXT, "ready\n".to_owned()),
            Err(why) => text(StatusCode::SERVICE_UNAVAILABLE, TEXT, format!("not ready: {why}\n")),
        },
        _ => text(
            StatusCode::NOT_FOUND,
            TEXT,
            "there is only /metrics, /healthz and /readyz\n".to_owned(),
        ),
    }
}

fn text(status: StatusCode, content_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, header::HeaderValue::from_static(content_type));
    response
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::cache::ClusterCache;
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn metrics_connections_beyond_the_limit_are_closed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cache, _interest) = ClusterCache::new();
        let serving = serve(listener, Arc::default(), Readiness::new(cache), None);
        let serving = tokio::spawn(serving);
        let mut open = Vec::new();
        for _ in 0..LIMITS.max_connections {
            open.push(TcpStream::connect(address).await.unwrap());
        }
        let mut excess = TcpStream::connect(address).await.unwrap();
        let read = tokio::time::timeout(Duration::from_secs(20), excess.read(&mut [0])).await;
        assert!(matches!(read.expect("still open"), Ok(0) | Err(_)));
        serving.abort();
    }

    #[test]
    fn only_metrics_are_refused() {
        let (cache, _interest) = ClusterCache::new();
        let readiness = Readiness::new(cache);
        let status = |path: &str, refusal: Option<&'static str>| {
            let request = Request::builder().uri(path).body(()).unwrap();
            respond(&request, refusal, &Registry::default(), &readiness).status()
        };
        assert_eq!(status("/metrics", None), StatusCode::OK);
        assert_eq!(status("/metrics", Some("no")), StatusCode::UNAUTHORIZED);
        assert_eq!(status("/healthz", Some("no")), StatusCode::OK);
        assert_eq!(status("/readyz", Some("no")), StatusCode::SERVICE_UNAVAILABLE);
    }
}
