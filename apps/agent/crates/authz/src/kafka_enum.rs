//! Enumerations that go by Kafka's numbers and names.

/// Declares one: Kafka's number and name of each value, in both directions.
macro_rules! kafka_enum {
    ($(#[$doc:meta])* $enum:ident { $($name:ident = $code:literal, $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are Kafka's")]
        #[repr(u8)]
        pub enum $enum {
            $($name = $code,)*
        }

        impl $enum {
            /// All that an ACL may name.
            pub const VALUES: &'static [Self] = &[$(Self::$name,)*];

            /// The one of this number. `None`: there is none, or it is one of a filter only.
            #[must_use]
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Kafka's number of it.
            #[must_use]
            pub fn code(self) -> u8 {
                self as u8
            }

            /// Kafka's name of it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.name())
            }
        }
    };
}
pub(crate) use kafka_enum;
