//! Asks S3 where a bucket is, when the region that the agent was given looks wrong.

use std::time::Duration;

use http::{Method, Request};
use object_store::client::HttpRequestBody;
use object_store::path::Path;
use object_store::signer::Signer as _;

use crate::bucket::S3Access;

/// How long the signed request may be on its way.
const SIGNED_FOR: Duration = Duration::from_secs(60);
/// In every answer about a bucket, refusals included.
const REGION: &str = "x-amz-bucket-region";
/// What S3 and the client library say of a request to the wrong region.
const SIGNS: [&str; 4] = [
    "redirect",
    "PermanentRedirect",
    "AuthorizationHeaderMalformed",
    "IllegalLocationConstraint",
];

/// The bucket's region, if a failure looks as if the agent had another one.
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
