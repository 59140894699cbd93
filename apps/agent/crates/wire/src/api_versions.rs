//! The versions of each API that Penstock serves, and their encoding. Derived from the messages, which name their API.

use std::ops::RangeInclusive;

use crate::api_key::{ApiKey, for_each_api};
use crate::message::{Message, Request};
use crate::messages::*;

macro_rules! implement_versions {
    ($($name:ident = $code:literal, $request:ident;)*) => {
        impl ApiKey {
            /// The versions that Penstock serves.
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
    /// Returns true if this version of the API uses compact lengths and tagged fields.
    #[must_use]
    pub fn is_flexible(self, version: i16) -> bool {
        version >= self.flexible_from()
    }

    /// Returns true if the response header has tagged fields. Always false for ApiVersions, so that a client can read
    /// the response before it knows which versions the agent supports.
    #[must_use]
    pub fn has_flexible_response_header(self, version: i16) -> bool {
        self != Self::ApiVersions && self.is_flexible(version)
    }
}
