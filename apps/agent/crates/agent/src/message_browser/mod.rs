//! The message browser: lets a web browser read records of one topic, with a short-lived token from the control plane. Off by default.
//! Records go from this agent to that browser only, and never into a log.

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

/// Questions that are answered at one time: looking at records never starves clients.
const QUESTIONS_AT_ONCE: usize = 2;
/// A question that has waited this long for its turn is sent away.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// What its requests share.
pub struct MessageBrowser {
    context: Arc<Context>,
    verifier: Arc<TokenVerifier>,
    turns: Semaphore,
}

impl MessageBrowser {
    /// Answers requests with a valid token.
    #[must_use]
    pub fn new(context: Arc<Context>, verifier: Arc<TokenVerifier>) -> Arc<Self> {
        Arc::new(Self {
            context,
            verifier,
            turns: Semaphore::new(QUESTIONS_AT_ONCE),
        })
    }

    /// Serves until the task is dropped.
    pub async fn run(self: Arc<Self>, listener: TcpListener) {
        serve::serve(self, listener).await;
    }
}
