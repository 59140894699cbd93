//! Enumerations with Kafka's numbers and names.

/// Declares an enumeration: Kafka's number and name of each value, in both directions.
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
            /// All values that an ACL can contain.
            pub const VALUES: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the value with this number, or `None` if there is none or only filters use it.
            #[must_use]
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Kafka's number for the value.
            #[must_use]
            pub fn code(self) -> u8 {
                self as u8
            }

            /// Kafka's name for the value.
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
