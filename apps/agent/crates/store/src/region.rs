//! Asks S3 for a bucket's region if the agent seems to be configured with a wrong one.

use std::time::Duration;

use http::{Method, Request};
use object_store::client::HttpRequestBody;
use object_store::path::Path;
use object_store::signer::Signer as _;

use crate::bucket::S3Access;

/// Validity of the signed request.
const SIGNED_FOR: Duration = Duration::from_secs(60);
/// Present in every response about a bucket, even in refusals.
const REGION: &str = "x-amz-bucket-region";
/// Phrases of S3 and the client library for requests to the wrong region.
const SIGNS: [&str; 4] = [
    "redirect",
    "PermanentRedirect",
    "AuthorizationHeaderMalformed",
    "IllegalLocationConstraint",
];

/// Returns the bucket's region, if a failure suggests that the agent uses another one.
pub(crate) async fn right_region(s3: &S3Access, failure: &str) -> Option<String> {
    if !SIGNS.iter().any(|sign| failure.contains(sign)) {
        return None;
    }
    let url = s3
        .store
        .signed_url(Method::HEAD, &Path::from("region"), SIGNED_FOR)
        .await
        .ok()?;
    let request = Request::head(url.as_str()).body(HttpRequestBody::empty()).ok()?;
    let response = s3.http.execute(request).await.ok()?;
    let region = response.headers().get(REGION)?.to_str().ok()?;
    let is_region = !region.is_empty() && region.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_region.then(|| region.to_owned())
}
