//! Debug output of messages that contain secrets.

use std::fmt;

use crate::proto::ScramProof;

/// Together with the user's verifier, the proof is as good as a password, so it must never be logged.
impl fmt::Debug for ScramProof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ScramProof(redacted)")
    }
}

#[cfg(test)]
mod tests {
    use crate::proto::{KafkaClient, ScramProof};

    #[test]
    fn a_scram_proof_is_not_printed() {
        let client = KafkaClient {
            principal: "User:alice".to_owned(),
            proof: Some(ScramProof {
                client_proof: vec![0xab; 32].into(),
                ..Default::default()
            }),
            ..Default::default()
        };
        let printed = format!("{client:?}");
        assert!(
            printed.contains("User:alice") && printed.contains("redacted"),
            "{printed}"
        );
        assert!(!printed.contains("171") && !printed.contains("\\xab"), "{printed}");
    }
}
