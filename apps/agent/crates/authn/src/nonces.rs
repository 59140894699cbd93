//! The agent's part of the nonces in SCRAM exchanges.

use std::fmt::Write as _;

use parking_lot::RwLock;
use penstock_metadata_client::proto;
use ring::hmac;

const MAC_BYTES: usize = 16;

/// Signs nonces with a secret of the cluster, in the format documented at `ScramProof` in the contract. The signature
/// shows the metadata service which agent chose a nonce, and the earliest time at which it did.
#[derive(Debug, Default)]
pub(crate) struct NonceSigner(RwLock<Option<Signing>>);

#[derive(Debug)]
struct Signing {
    secret_id: u64,
    key: hmac::Key,
    agent_id: String,
}

impl NonceSigner {
    /// Sets the signing secret. Keeps the last one if there is none.
    pub(crate) fn set(&self, agent_id: &str, secrets: &[proto::PeerSecret]) {
        let Some(signing) = secrets.iter().find(|secret| secret.signs) else {
            return;
        };
        let signing = Signing {
            secret_id: signing.id,
            key: hmac::Key::new(hmac::HMAC_SHA256, &signing.secret),
            agent_id: agent_id.to_owned(),
        };
        *self.0.write() = Some(signing);
    }

    /// Signs `random`. Returns it unchanged while there is no secret; clients can still sign in.
    pub(crate) fn signed(&self, random: &str) -> String {
        let signing = self.0.read();
        let Some(Signing {
            secret_id,
            key,
            agent_id,
        }) = &*signing
        else {
            return random.to_owned();
        };
        let mac = hmac::sign(key, format!("penstock scram nonce v1:{agent_id}:{random}").as_bytes());
        let mut nonce = format!("{secret_id}.{random}.");
        for byte in mac.as_ref().iter().take(MAC_BYTES) {
            // Writing to a string cannot fail.
            let _ = write!(nonce, "{byte:02x}");
        }
        nonce
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_nonces_as_the_service_verifies_them() {
        let nonces = NonceSigner::default();
        assert_eq!(nonces.signed("random"), "random");
        let secret = |id, signs| proto::PeerSecret {
            id,
            secret: vec![7; 32].into(),
            signs,
        };
        nonces.set("agent-1", &[secret(41, false), secret(42, true), secret(43, false)]);
        // HMAC-SHA-256 with a key of 32 bytes of value 7 over "penstock scram nonce v1:agent-1:random".
        assert_eq!(nonces.signed("random"), "42.random.52df5e076805f892e159750d3da32d41");
        nonces.set("agent-1", &[]);
        assert!(nonces.signed("random").starts_with("42."));
    }
}
