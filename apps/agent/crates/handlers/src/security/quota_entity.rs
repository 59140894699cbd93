//! The entities that client quotas apply to, in Kafka's format: lists of types and names.

use penstock_wire::ErrorCode;

use crate::security::security_changes::Refused;

pub(crate) const USER: &str = "user";
pub(crate) const CLIENT_ID: &str = "client-id";
pub(crate) const IP: &str = "ip";

/// The entity in the metadata service's format: `None` means any, and an empty name is the default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct QuotaEntity {
    pub(crate) user: Option<String>,
    pub(crate) client_id: Option<String>,
}

impl QuotaEntity {
    /// Converts types and names from a request. A null name is the default of its type.
    pub(crate) fn from_wire<'a>(parts: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Result<Self, Refused> {
        let mut entity = Self::default();
        for (entity_type, name) in parts {
            let place = match entity_type {
                USER => &mut entity.user,
                CLIENT_ID => &mut entity.client_id,
                IP => {
                    return Err(invalid(
                        "quotas of addresses are not supported: set them for users and client ids",
                    ));
                }
                other => return Err(invalid(&format!("unknown type of quota entity: {other}"))),
            };
            if name == Some("") {
                return Err(invalid(&format!("the name of a {entity_type} must not be empty")));
            }
            if place.replace(name.unwrap_or_default().to_owned()).is_some() {
                return Err(invalid(&format!("the quota entity has more than one {entity_type}")));
            }
        }
        if entity == Self::default() {
            return Err(invalid("the quota entity must have a user, a client id or both"));
        }
        Ok(entity)
    }

    /// Types and names in Kafka's order. A null name is the default of its type.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&'static str, Option<String>)> {
        let named = |name: &String| (!name.is_empty()).then(|| name.clone());
        let user = self.user.as_ref().map(|name| (USER, named(name)));
        let client_id = self.client_id.as_ref().map(|name| (CLIENT_ID, named(name)));
        client_id.into_iter().chain(user)
    }
}

fn invalid(reason: &str) -> Refused {
    (ErrorCode::INVALID_REQUEST, reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entity_round_trips_and_a_null_name_is_the_default() {
        let parts = [(USER, Some("alice")), (CLIENT_ID, None)];
        let entity = QuotaEntity::from_wire(parts.into_iter()).unwrap();
        assert_eq!(
            (entity.user.as_deref(), entity.client_id.as_deref()),
            (Some("alice"), Some(""))
        );
        let read: Vec<_> = entity.parts().collect();
        assert_eq!(read, [(CLIENT_ID, None), (USER, Some("alice".to_owned()))]);
    }

    #[test]
    fn refuses_entities_that_kafka_refuses() {
        for parts in [
            &[] as &[(&str, Option<&str>)],
            &[(USER, Some(""))],
            &[(USER, Some("a")), (USER, Some("b"))],
            &[(IP, Some("10.0.0.1"))],
            &[("group", Some("a"))],
        ] {
            let (error_code, _) = QuotaEntity::from_wire(parts.iter().copied()).unwrap_err();
            assert_eq!(error_code, ErrorCode::INVALID_REQUEST, "{parts:?}");
        }
    }
}
