//! The message browser: lets a web browser read records of one topic with a short-lived token from the control plane.
//! Off by default. Records go only from this agent to that browser, and never to a log.

mod cors;
mod question;
mod respond;
mod serve;
mod token;
mod url;

use std::sync::Arc;
use std::time::Duration;

use penstock_handlers::Context;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub use token::TokenVerifier;
pub(crate) use url::{BrowserUrlError, browser_url};

/// Maximum number of concurrent browse requests, so that they never starve Kafka clients.
const QUESTIONS_AT_ONCE: usize = 2;
/// Maximum time that a browse request waits for its turn before it is refused.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// State shared by all browse requests.
pub struct MessageBrowser {
    context: Arc<Context>,
    verifier: Arc<TokenVerifier>,
    turns: Semaphore,
}

impl MessageBrowser {
    /// Creates a browser that serves requests with a valid token.
    #[must_use]
    pub fn new(context: Arc<Context>, verifier: Arc<TokenVerifier>) -> Arc<Self> {
        Arc::new(Self {
            context,
            verifier,
            turns: Semaphore::new(QUESTIONS_AT_ONCE),
        })
    }

    /// Serves requests until the task is dropped.
    pub async fn run(self: Arc<Self>, listener: TcpListener) {
        serve::serve(self, listener).await;
    }
}
