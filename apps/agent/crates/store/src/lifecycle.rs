//! Finds lifecycle rules of a bucket that would delete or move data files. For the format, see
//! <https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLifecycleConfiguration.html>

use http::{Method, Request};
use object_store::aws::AmazonS3;
use object_store::client::{HttpClient, HttpRequestBody};
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer as _};
use penstock_telemetry::{CleanText, Failure};
use serde::Deserialize;
use std::time::Duration;

use crate::error::with_causes;
use crate::failure::{classify, no_answer};

/// Validity of the signed request.
const SIGNED_FOR: Duration = Duration::from_secs(60);
/// Maximum size of a response. S3 allows a thousand rules of a few hundred bytes each.
const MAX_BYTES: usize = 1 << 20;

/// The effect of the bucket's lifecycle rules on our data files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lifecycle {
    /// The rules of this kind of storage are not checked, for this reason.
    NotChecked(&'static str),
    /// The bucket has no rules.
    NoRules,
    /// The bucket has rules, but none affects data files.
    Harmless,
    /// A rule affects data files.
    Harmful(HarmfulRule),
    /// The agent is not allowed to read the rules.
    NotAllowed(Failure),
    /// The rules could not be read.
    Failed(Failure),
}

/// The action of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleAction {
    /// Deletes the affected objects.
    Expires,
    /// Moves the objects to another storage class.
    Transitions,
}

/// A rule that affects data files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarmfulRule {
    /// The rule's id in the bucket.
    pub rule_id: CleanText,
    /// The action of the rule.
    pub action: RuleAction,
    /// Number of days after which it applies; `None` if it names a date.
    pub days: Option<u32>,
    /// Prefix of the affected objects; empty for all.
    pub prefix: CleanText,
    /// The target storage class; empty unless objects are moved.
    pub storage_class: CleanText,
}

#[derive(Debug, Deserialize)]
struct Configuration {
    #[serde(rename = "Rule", default)]
    rules: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Rule {
    #[serde(rename = "ID", default)]
    id: String,
    #[serde(default)]
    status: String,
    /// The prefix in rules of the old format.
    prefix: Option<String>,
    filter: Option<Filter>,
    expiration: Option<Expiration>,
    #[serde(rename = "Transition", default)]
    transitions: Vec<Transition>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Filter {
    prefix: Option<String>,
    tag: Option<Tag>,
    and: Option<And>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct And {
    prefix: Option<String>,
    #[serde(rename = "Tag", default)]
    tags: Vec<Tag>,
}

#[derive(Debug, Deserialize)]
struct Tag {}

/// Without days and date, it removes only delete markers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Expiration {
    days: Option<u32>,
    date: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Transition {
    days: Option<u32>,
    #[serde(default)]
    storage_class: String,
}

impl Rule {
    /// The rule's prefix; `None` if it applies only to tagged objects, since ours have no tags.
    fn prefix(&self) -> Option<&str> {
        let of_filter = match &self.filter {
            None => None,
            Some(Filter { tag: Some(_), .. }) => return None,
            Some(Filter { and: Some(and), .. }) if !and.tags.is_empty() => return None,
            Some(Filter { and: Some(and), .. }) => and.prefix.as_deref(),
            Some(Filter { prefix, .. }) => prefix.as_deref(),
        };
        Some(of_filter.or(self.prefix.as_deref()).unwrap_or(""))
    }

    /// The rule's worst action on objects whose names begin with `root`.
    fn harmful_rule(&self, root: &str) -> Option<HarmfulRule> {
        if self.status != "Enabled" {
            return None;
        }
        let prefix = self.prefix()?;
        if !root.starts_with(prefix) && !prefix.starts_with(root) {
            return None;
        }
        let harmful_rule = |action, days, storage_class: &str| HarmfulRule {
            rule_id: CleanText::clean(&self.id),
            action,
            days,
            prefix: CleanText::clean(prefix),
            storage_class: CleanText::clean(storage_class),
        };
        let expiration = self
            .expiration
            .as_ref()
            .filter(|expiration| expiration.days.is_some() || expiration.date.is_some());
        if let Some(expiration) = expiration {
            return Some(harmful_rule(RuleAction::Expires, expiration.days, ""));
        }
        let transition = self.transitions.first()?;
        Some(harmful_rule(
            RuleAction::Transitions,
            transition.days,
            &transition.storage_class,
        ))
    }
}

/// The worst rule for objects whose names begin with `root`.
fn worst_rule(xml: &str, root: &str) -> Result<Lifecycle, quick_xml::DeError> {
    let configuration: Configuration = quick_xml::de::from_str(xml)?;
    let mut harmful_rules: Vec<HarmfulRule> = configuration
        .rules
        .iter()
        .filter_map(|rule| rule.harmful_rule(root))
        .collect();
    harmful_rules.sort_by_key(|harmful_rule| harmful_rule.action == RuleAction::Transitions);
    Ok(match harmful_rules.into_iter().next() {
        Some(harmful_rule) => Lifecycle::Harmful(harmful_rule),
        None if configuration.rules.is_empty() => Lifecycle::NoRules,
        None => Lifecycle::Harmless,
    })
}

/// Reads the bucket's lifecycle rules with our own signed request, because the client library does not support it.
pub(crate) async fn check_s3(s3: &AmazonS3, http: &HttpClient, root: &str) -> Lifecycle {
    let mut options = SignedUrlOptions::default();
    options.extra_query.push(("lifecycle".to_owned(), String::new()));
    let url = match s3
        .signed_url_opts(Method::GET, &Path::default(), SIGNED_FOR, &options)
        .await
    {
        Ok(url) => url,
        Err(error) => return Lifecycle::Failed(classify(&error)),
    };
    let Ok(request) = Request::get(url.as_str()).body(HttpRequestBody::empty()) else {
        return Lifecycle::Failed(no_answer(None));
    };
    let failed = |error: &dyn std::error::Error| {
        Lifecycle::Failed(classify(&object_store::Error::Generic {
            store: "S3",
            source: with_causes(error).into(),
        }))
    };
    let (head, body) = match http.execute(request).await {
        Ok(response) => response.into_parts(),
        Err(error) => return failed(&error),
    };
    let body = match body.bytes().await {
        Ok(body) => body,
        Err(error) => return failed(&error),
    };
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_BYTES)]).into_owned();
    if head.status.is_success() {
        return worst_rule(&text, root).unwrap_or_else(|error| failed(&error));
    }
    let source = format!("status code: {}: {text}", head.status.as_u16()).into();
    let failure = classify(&match head.status.as_u16() {
        403 => object_store::Error::PermissionDenied {
            path: String::new(),
            source,
        },
        _ => object_store::Error::Generic { store: "S3", source },
    });
    match (head.status.as_u16(), failure.code.as_str()) {
        (_, "NoSuchLifecycleConfiguration") => Lifecycle::NoRules,
        (_, "NotImplemented" | "MethodNotAllowed") | (405 | 501, _) => {
            Lifecycle::NotChecked("this S3 server does not support lifecycle rules")
        }
        (403, _) => Lifecycle::NotAllowed(failure),
        _ => Lifecycle::Failed(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "prod/clusters/c1/data/";

    fn rules(rules: &str) -> Lifecycle {
        let xml = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?><LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{rules}</LifecycleConfiguration>"#
        );
        worst_rule(&xml, ROOT).unwrap()
    }

    fn rule(scope: &str, action: &str) -> String {
        format!("<Rule><ID>tidy</ID>{scope}<Status>Enabled</Status>{action}</Rule>")
    }

    const EXPIRES: &str = "<Expiration><Days>30</Days></Expiration>";

    #[test]
    fn finds_a_rule_that_expires_data_files_in_any_format() {
        for scope in [
            "<Filter></Filter>",
            "<Filter/>",
            "<Prefix/>",
            "<Prefix>prod/</Prefix>",
            "<Filter><Prefix>prod/clusters/c1/data/7f</Prefix></Filter>",
            "<Filter><Prefix></Prefix></Filter>",
            "<Filter><ObjectSizeGreaterThan>1024</ObjectSizeGreaterThan></Filter>",
            "<Filter><And><Prefix>prod</Prefix><ObjectSizeLessThan>9999999</ObjectSizeLessThan></And></Filter>",
        ] {
            let Lifecycle::Harmful(found) = rules(&rule(scope, EXPIRES)) else {
                panic!("{scope} was not found");
            };
            assert_eq!((found.action, found.days), (RuleAction::Expires, Some(30)), "{scope}");
            assert_eq!(found.rule_id.as_str(), "tidy");
        }
        let dated = rule(
            "<Filter/>",
            "<Expiration><Date>2027-01-01T00:00:00.000Z</Date></Expiration>",
        );
        assert!(matches!(
            rules(&dated),
            Lifecycle::Harmful(HarmfulRule { days: None, .. })
        ));
    }

    #[test]
    fn finds_a_moving_rule_but_reports_an_expiring_one_first() {
        let moves = rule(
            "<Filter/>",
            "<Transition><Days>90</Days><StorageClass>GLACIER</StorageClass></Transition>",
        );
        let Lifecycle::Harmful(found) = rules(&moves) else {
            panic!("not found")
        };
        assert_eq!(found.action, RuleAction::Transitions);
        assert_eq!(found.storage_class.as_str(), "GLACIER");
        let both = format!("{moves}{}", rule("<Filter/>", EXPIRES));
        assert!(matches!(
            rules(&both),
            Lifecycle::Harmful(HarmfulRule {
                action: RuleAction::Expires,
                ..
            })
        ));
    }

    #[test]
    fn rules_for_other_objects_are_harmless() {
        let harmless = [
            rule("<Filter><Prefix>logs/</Prefix></Filter>", EXPIRES),
            rule("<Filter><Prefix>prod/clusters/c2/</Prefix></Filter>", EXPIRES),
            rule("<Filter><Prefix>prod/probes/</Prefix></Filter>", EXPIRES),
            rule("<Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter>", EXPIRES),
            rule(
                "<Filter><And><Prefix>prod/</Prefix><Tag><Key>a</Key><Value>b</Value></Tag></And></Filter>",
                EXPIRES,
            ),
            rule(
                "<Filter/>",
                "<AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
            ),
            rule(
                "<Filter/>",
                "<NoncurrentVersionExpiration><NoncurrentDays>7</NoncurrentDays></NoncurrentVersionExpiration>",
            ),
            rule(
                "<Filter/>",
                "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>",
            ),
            rule("<Filter/>", EXPIRES).replace("Enabled", "Disabled"),
        ];
        for rule in &harmless {
            assert_eq!(rules(rule), Lifecycle::Harmless, "{rule}");
        }
        assert_eq!(rules(""), Lifecycle::NoRules);
    }

    #[test]
    fn an_invalid_configuration_is_an_error() {
        assert!(worst_rule("<html>", ROOT).is_err());
    }
}
