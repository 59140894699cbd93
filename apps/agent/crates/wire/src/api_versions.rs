//! Which versions of each API are served, and their encoding. Derived from the messages, which name their API.

use std::ops::RangeInclusive;

use crate::api_key::{ApiKey, for_each_api};
use crate::message::{Message, Request};
use crate::messages::*;

macro_rules! implement_versions {
    ($($name:ident = $code:literal, $request:ident;)*) => {
        impl ApiKey {
            /// The versions that we serve.
            #[must_use]
            pub fn versions(self) -> RangeInclusive<i16> {
                match self {
                    $(Self::$name => $request::VERSIONS,)*
                }
            }

            fn flexible_from(self) -> i16 {
                match self {
                    $(Self::$name => $request::FLEXIBLE_FROM,)*
                }
            }
        }
    };
}
for_each_api!(implement_versions);

impl ApiKey {
    /// Whether this version of the API has compact lengths and tagged fields.
    #[must_use]
    pub fn is_flexible(self, version: i16) -> bool {
        version >= self.flexible_from()
    }

    /// Whether the response header has tagged fields. That of ApiVersions never has: a client must be able to read
    /// the answer before it knows which versions we speak.
    #[must_use]
    pub fn has_flexible_response_header(self, version: i16) -> bool {
        self != Self::ApiVersions && self.is_flexible(version)
    }
}
