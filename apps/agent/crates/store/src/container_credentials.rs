//! Credentials from a container platform's endpoint that requires a token from a file (EKS Pod Identity). The client
//! library's own source panics if the token file ends in a newline.
//! <https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html>

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use http::header::{AUTHORIZATION, HeaderValue};
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use object_store::CredentialProvider;
use object_store::aws::AwsCredential;
use object_store::client::{HttpClient, HttpRequestBody};
use penstock_runtime::wall_clock;
use serde::Deserialize;
use tokio::sync::Mutex;

/// How long before their expiry credentials are renewed.
const MARGIN: Duration = Duration::from_secs(300);

/// The endpoint and its latest credentials.
#[derive(Debug)]
pub(crate) struct ContainerCredentials {
    pub(crate) http: HttpClient,
    pub(crate) url: String,
    /// Path of the token file. Read for every request, because the platform renews the token.
    pub(crate) token_file: String,
    pub(crate) last: Mutex<Option<(Arc<AwsCredential>, SystemTime)>>,
}

/// The response of the endpoint.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    access_key_id: String,
    secret_access_key: String,
    token: Option<String>,
    expiration: DateTime<Utc>,
}

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("cannot read the token file {path}: {reason}")]
    TokenFile { path: String, reason: std::io::Error },
    #[error("the token in {path} has characters that no token has")]
    Token { path: String },
    #[error("{url} is not a URL for credentials: {reason}")]
    Url { url: String, reason: http::Error },
    #[error("no credentials from {url}: {reason}")]
    Unanswered { url: String, reason: String },
    #[error("no credentials from {url}: status {status}")]
    Refused { url: String, status: StatusCode },
}

impl ContainerCredentials {
    #[expect(clippy::disallowed_methods, reason = "the platform's token file")]
    async fn ask(&self) -> Result<(Arc<AwsCredential>, SystemTime), Failed> {
        let path = &self.token_file;
        let token = tokio::fs::read_to_string(path)
            .await
            .map_err(|reason| Failed::TokenFile {
                path: path.clone(),
                reason,
            })?;
        let mut token = HeaderValue::try_from(token.trim()).map_err(|_| Failed::Token { path: path.clone() })?;
        token.set_sensitive(true);
        let request = Request::get(&self.url)
            .header(AUTHORIZATION, token)
            .body(HttpRequestBody::empty())
            .map_err(|reason| Failed::Url {
                url: self.url.clone(),
                reason,
            })?;
        let unanswered = |reason: &dyn std::error::Error| Failed::Unanswered {
            url: self.url.clone(),
            reason: crate::error::with_causes(reason),
        };
        let response = self.http.execute(request).await.map_err(|error| unanswered(&error))?;
        if !response.status().is_success() {
            return Err(Failed::Refused {
                url: self.url.clone(),
                status: response.status(),
            });
        }
        let body = response
            .into_body()
            .collect()
            .await
            .map_err(|error| unanswered(&error))?;
        let answer: Answer = serde_json::from_slice(&body.to_bytes()).map_err(|error| unanswered(&error))?;
        let credential = AwsCredential {
            key_id: answer.access_key_id,
            secret_key: answer.secret_access_key,
            token: answer.token,
        };
        Ok((Arc::new(credential), answer.expiration.into()))
    }
}

#[async_trait::async_trait]
impl CredentialProvider for ContainerCredentials {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        let mut last = self.last.lock().await;
        if let Some((credential, expires_at)) = &*last
            && wall_clock() + MARGIN < *expires_at
        {
            return Ok(Arc::clone(credential));
        }
        let renewed = self.ask().await.map_err(|error| object_store::Error::Generic {
            store: "S3",
            source: error.into(),
        })?;
        let credential = Arc::clone(&renewed.0);
        *last = Some(renewed);
        Ok(credential)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use object_store::ClientOptions;
    use object_store::client::{HttpConnector as _, ReqwestConnector};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers one request and returns it.
    async fn answer_one(listener: TcpListener, status: &str, body: &str) -> String {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 4096];
        let read = stream.read(&mut request).await.unwrap();
        let length = body.len();
        let response = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
        stream.write_all(response.as_bytes()).await.unwrap();
        String::from_utf8(request[..read].to_vec()).unwrap()
    }

    async fn source(token: &str) -> (ContainerCredentials, TcpListener, tempfile::NamedTempFile) {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(token.as_bytes()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let options = ClientOptions::new().with_allow_http(true);
        let source = ContainerCredentials {
            http: ReqwestConnector::default().connect(&options).unwrap(),
            url: format!("http://{}/v1/credentials", listener.local_addr().unwrap()),
            token_file: file.path().display().to_string(),
            last: Mutex::default(),
        };
        (source, listener, file)
    }

    #[tokio::test]
    async fn a_token_file_can_end_in_a_newline() {
        let (source, listener, _file) = source("tok0\n").await;
        let body = r#"{"AccessKeyId":"AK","SecretAccessKey":"s","Token":"t","Expiration":"2999-01-01T00:00:00Z"}"#;
        let (request, credential) = tokio::join!(answer_one(listener, "200 OK", body), source.get_credential());
        assert!(request.to_lowercase().contains("authorization: tok0\r\n"), "{request}");
        assert_eq!(credential.unwrap().key_id, "AK");
        // The server is gone: credentials that are valid for long are not requested again.
        assert_eq!(source.get_credential().await.unwrap().key_id, "AK");
    }

    #[tokio::test]
    async fn a_refusal_or_an_invalid_token_is_an_error() {
        let (refused, listener, _file) = source("tok0").await;
        let (_, error) = tokio::join!(answer_one(listener, "400 Bad Request", ""), refused.get_credential());
        assert!(error.unwrap_err().to_string().contains("400"));
        let (broken, ..) = source("a\nb").await;
        assert!(broken.get_credential().await.is_err());
    }
}
