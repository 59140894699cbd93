//! The server side of SCRAM (RFC 5802, RFC 7677), without channel binding, as Kafka uses it.
//!
//! Well-kept crates with a server side exist, but they add a second cryptography library, and fail at the first message
//! of an unknown user, which reveals who exists.

use std::num::NonZeroU32;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use penstock_scram::ScramHash;
use ring::hmac;
use subtle::ConstantTimeEq as _;

use crate::failure::Failure;
use crate::users::{Credential, Users};

const DEFAULT_ITERATIONS: NonZeroU32 = NonZeroU32::new(8192).unwrap();
/// The salt length of the Kafka tools.
const DEFAULT_SALT_BYTES: usize = 25;
const MAX_SALT_BYTES: usize = 64;
const NUMBER_BYTES: usize = 8;

/// Generates salts for nonexistent users, always the same for the same name, so that salts do not reveal who exists.
#[derive(Debug)]
pub(crate) struct Decoys(hmac::Key);

impl Decoys {
    /// Derives the key from a secret that all agents of the cluster know and no client does.
    pub(crate) fn new(secret: &[u8]) -> Self {
        let key = hmac::sign(
            &hmac::Key::new(hmac::HMAC_SHA512, secret),
            b"penstock: salts of unknown users",
        );
        Self(hmac::Key::new(hmac::HMAC_SHA512, key.as_ref()))
    }

    /// Chooses the existing user that a nonexistent name imitates.
    pub(crate) fn number(&self, user: &str) -> u64 {
        as_number(&hmac::sign(&self.0, user.as_bytes()).as_ref()[..NUMBER_BYTES])
    }

    /// A credential that looks like that of an existing user, with no known matching password.
    fn of(&self, user: &str, hash: ScramHash, users: &Users) -> Credential {
        let tag = hmac::sign(&self.0, format!("{hash:?}:{user}").as_bytes());
        let (number, salt) = tag.as_ref().split_at(NUMBER_BYTES);
        let (len, iterations) = users
            .one_of(hash, as_number(number))
            .map_or((DEFAULT_SALT_BYTES, DEFAULT_ITERATIONS), |like| {
                (like.salt.len(), like.iterations)
            });
        let salt = salt.iter().copied().cycle().take(len.min(MAX_SALT_BYTES)).collect();
        let key: Vec<u8> = tag.as_ref().iter().copied().cycle().take(hash.output_len()).collect();
        Credential {
            user: user.to_owned(),
            hash,
            salt,
            stored_key: key.clone(),
            server_key: key,
            iterations,
            expires_at_ms: None,
        }
    }
}

fn as_number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// An exchange with a client.
#[derive(Debug)]
pub(crate) struct Scram {
    hash: ScramHash,
    state: State,
}

#[derive(Debug)]
enum State {
    First,
    Last(Box<Challenged>),
    Over,
}

#[derive(Debug)]
struct Challenged {
    credential: Arc<Credential>,
    /// True if the user exists, so that the credential is not a decoy.
    exists: bool,
    gs2_header: String,
    client_nonce: String,
    nonce: String,
    /// The first two messages, as covered by the signatures.
    transcript: String,
}

/// The result of a successful proof. Not printable: together with the verifier, the proof is as good as a password.
pub(crate) struct Proven {
    pub(crate) server_final: String,
    pub(crate) credential: Arc<Credential>,
    /// The text covered by the client's proof, and the proof. They convince anyone who has the verifier.
    pub(crate) auth_message: String,
    pub(crate) client_proof: Vec<u8>,
}

impl Scram {
    pub(crate) fn new(hash: ScramHash) -> Self {
        Self {
            hash,
            state: State::First,
        }
    }

    /// Returns true if the client's first message is next.
    pub(crate) fn is_at_start(&self) -> bool {
        matches!(self.state, State::First)
    }

    /// Responds to the client's first message with the salt and nonce. `server_nonce` must be unpredictable and
    /// printable.
    pub(crate) fn challenge(
        &mut self,
        message: &[u8],
        users: &Users,
        decoys: &Decoys,
        server_nonce: &str,
    ) -> Result<String, Failure> {
        self.state = State::Over;
        let first = ClientFirst::read(message).ok_or_else(|| Failure::malformed("the first SCRAM message"))?;
        if first.authorization_id.is_some_and(|id| id != first.user) {
            return Err(Failure::refused(&first.user, "asked to act as another user"));
        }
        // Computed for existing users, too, so that response times do not reveal who exists.
        let decoy = Arc::new(decoys.of(&first.user, self.hash, users));
        let known = users.credential(&first.user, self.hash).cloned();
        let exists = known.is_some();
        let credential = known.unwrap_or(decoy);
        let nonce = format!("{}{server_nonce}", first.nonce);
        let answer = format!(
            "r={nonce},s={},i={}",
            BASE64.encode(&credential.salt),
            credential.iterations
        );
        self.state = State::Last(Box::new(Challenged {
            credential,
            exists,
            gs2_header: first.gs2_header.to_owned(),
            client_nonce: first.nonce.to_owned(),
            transcript: format!("{},{answer}", first.bare),
            nonce,
        }));
        Ok(answer)
    }

    /// Verifies the client's proof.
    pub(crate) fn verify(&mut self, message: &[u8], now_ms: u64) -> Result<Proven, Failure> {
        let State::Last(challenged) = std::mem::replace(&mut self.state, State::Over) else {
            return Err(Failure::malformed("a SCRAM message after the end of the exchange"));
        };
        let last = ClientFinal::read(message).ok_or_else(|| Failure::malformed("the last SCRAM message"))?;
        let Challenged {
            credential,
            exists,
            gs2_header,
            client_nonce,
            nonce,
            transcript,
        } = *challenged;
        let user = credential.user();
        // librdkafka before 2.6.1 repeats its own nonce in front. The proof covers what it sent, including our nonce.
        let is_own_nonce = last.nonce == nonce || last.nonce.strip_prefix(&client_nonce) == Some(&nonce);
        if !is_own_nonce || last.binding != gs2_header.as_bytes() {
            return Err(Failure::refused(user, "the exchange was changed on its way"));
        }
        let auth_message = format!("{transcript},{}", last.without_proof);
        let client_signature = self.hash.sign(&credential.stored_key, auth_message.as_bytes());
        if last.proof.len() != client_signature.as_ref().len() {
            return Err(Failure::refused(user, "wrong password"));
        }
        let client_key: Vec<u8> = std::iter::zip(&last.proof, client_signature.as_ref())
            .map(|(proof, signature)| proof ^ signature)
            .collect();
        let stored_key = self.hash.digest(&client_key);
        let fits = bool::from(stored_key.as_ref().ct_eq(&credential.stored_key));
        if !exists {
            return Err(Failure::refused(user, "no such user with this mechanism"));
        }
        if !fits {
            return Err(Failure::refused(user, "wrong password"));
        }
        if credential.is_expired(now_ms) {
            return Err(Failure::refused(user, "the credential has expired"));
        }
        let server_signature = self.hash.sign(&credential.server_key, auth_message.as_bytes());
        Ok(Proven {
            server_final: format!("v={}", BASE64.encode(server_signature)),
            credential,
            auth_message,
            client_proof: last.proof,
        })
    }
}

/// Has the format `n,a=authorization,n=user,r=nonce,extensions`.
struct ClientFirst<'a> {
    gs2_header: &'a str,
    authorization_id: Option<String>,
    bare: &'a str,
    user: String,
    nonce: &'a str,
}

impl<'a> ClientFirst<'a> {
    fn read(message: &'a [u8]) -> Option<Self> {
        let message = std::str::from_utf8(message).ok()?;
        let (binding, rest) = message.split_once(',')?;
        // "p=" means channel binding, which no offered mechanism has.
        if !matches!(binding, "n" | "y") {
            return None;
        }
        let (authorization, bare) = rest.split_once(',')?;
        let authorization_id = match authorization {
            "" => None,
            given => Some(sasl_name(given.strip_prefix("a=")?)?),
        };
        let gs2_header = &message[..message.len() - bare.len()];
        let mut attributes = bare.split(',');
        // An "m=" here announces a mandatory extension. None is supported.
        let user = sasl_name(attributes.next()?.strip_prefix("n=")?)?;
        let nonce = attributes.next()?.strip_prefix("r=").filter(|nonce| is_nonce(nonce))?;
        // Kafka's delegation tokens sign in this way. Penstock has none.
        if attributes.any(|extension| extension.eq_ignore_ascii_case("tokenauth=true")) {
            return None;
        }
        Some(Self {
            gs2_header,
            authorization_id,
            bare,
            user,
            nonce,
        })
    }
}

/// Has the format `c=binding,r=nonce,extensions,p=proof`.
struct ClientFinal<'a> {
    binding: Vec<u8>,
    nonce: &'a str,
    without_proof: &'a str,
    proof: Vec<u8>,
}

impl<'a> ClientFinal<'a> {
    fn read(message: &'a [u8]) -> Option<Self> {
        let message = std::str::from_utf8(message).ok()?;
        let (without_proof, proof) = message.rsplit_once(",p=")?;
        let mut attributes = without_proof.split(',');
        let binding = attributes.next()?.strip_prefix("c=")?;
        let nonce = attributes.next()?.strip_prefix("r=")?;
        Some(Self {
            binding: BASE64.decode(binding).ok()?,
            nonce,
            without_proof,
            proof: BASE64.decode(proof).ok()?,
        })
    }
}

fn is_nonce(nonce: &str) -> bool {
    !nonce.is_empty() && nonce.bytes().all(|byte| matches!(byte, 0x21..=0x7e))
}

/// Decodes a name as in RFC 5802: commas and equals signs are `=2C` and `=3D`.
fn sasl_name(name: &str) -> Option<String> {
    let mut parts = name.split('=');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let (sign, rest) = part.split_at_checked(2)?;
        plain.push(match sign {
            "2C" => ',',
            "3D" => '=',
            _ => return None,
        });
        plain.push_str(rest);
    }
    (!plain.is_empty() && !plain.contains('\0')).then_some(plain)
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto::ScramMechanism::{Sha256, Sha512};
    use penstock_scram::Verifier;
    use proptest::prelude::*;

    use super::*;
    use crate::users::testing::{credential, users};

    fn decoys() -> Decoys {
        Decoys::new(b"secret")
    }

    /// The client's final message, computed from the server's first.
    fn client_final(hash: ScramHash, password: &str, first_bare: &str, gs2_header: &str, server_first: &str) -> String {
        let nonce = server_first.split(',').next().unwrap();
        client_final_with(nonce, hash, password, first_bare, (gs2_header, server_first))
    }

    fn client_final_with(
        nonce: &str,
        hash: ScramHash,
        password: &str,
        first_bare: &str,
        (gs2_header, server_first): (&str, &str),
    ) -> String {
        let fields: Vec<&str> = server_first.split(',').collect();
        let salt = BASE64.decode(&fields[1][2..]).unwrap();
        let iterations: u32 = fields[2][2..].parse().unwrap();
        let salted = hash.salted_password(password.as_bytes(), &salt, NonZeroU32::new(iterations).unwrap());
        let client_key = hash.sign(&salted, b"Client Key");
        let stored_key = hash.digest(client_key.as_ref());
        let without_proof = format!("c={},{nonce}", BASE64.encode(gs2_header));
        let auth_message = format!("{first_bare},{server_first},{without_proof}");
        let signature = hash.sign(stored_key.as_ref(), auth_message.as_bytes());
        let proof: Vec<u8> = std::iter::zip(client_key.as_ref(), signature.as_ref())
            .map(|(key, signature)| key ^ signature)
            .collect();
        format!("{without_proof},p={}", BASE64.encode(proof))
    }

    /// The example in RFC 7677, section 3.
    #[test]
    fn the_exchange_of_rfc_7677_succeeds_verbatim() {
        let salt = BASE64.decode("W22ZaJ0SNY7soEsUEjb6gQ==").unwrap();
        let mut pencil = credential("user", "pencil", Sha256);
        let keys = Verifier::of_password(ScramHash::Sha256, b"pencil", &salt, NonZeroU32::new(4096).unwrap());
        pencil.salt = salt.into();
        pencil.stored_key = keys.stored_key.into();
        pencil.server_key = keys.server_key.into();
        let users = users(vec![pencil]);
        let mut scram = Scram::new(ScramHash::Sha256);
        let server_first = scram
            .challenge(
                b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
                &users,
                &decoys(),
                "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
            )
            .unwrap();
        assert_eq!(
            server_first,
            "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
        );
        let last = b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
        let proven = scram.verify(last, 0).unwrap();
        assert_eq!(proven.server_final, "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
        assert_eq!(proven.credential.user(), "user");
    }

    fn exchange(hash: ScramHash, users: &Users, user: &str, password: &str) -> Result<Proven, Failure> {
        let mut scram = Scram::new(hash);
        let bare = format!("n={user},r=abc");
        let server_first = scram.challenge(format!("n,,{bare}").as_bytes(), users, &decoys(), "xyz")?;
        scram.verify(
            client_final(hash, password, &bare, "n,,", &server_first).as_bytes(),
            1000,
        )
    }

    #[test]
    fn each_hash_accepts_only_the_right_password() {
        for (mechanism, hash) in [(Sha256, ScramHash::Sha256), (Sha512, ScramHash::Sha512)] {
            let users = users(vec![credential("a,b=c", "right", mechanism)]);
            assert!(exchange(hash, &users, "a=2Cb=3Dc", "right").is_ok());
            assert!(exchange(hash, &users, "a=2Cb=3Dc", "wrong").is_err());
            assert!(exchange(hash, &users, "other", "right").is_err());
        }
        let only_512 = users(vec![credential("a", "right", Sha512)]);
        assert!(exchange(ScramHash::Sha256, &only_512, "a", "right").is_err());
    }

    #[test]
    fn refuses_an_expired_credential_with_the_right_password() {
        let mut expired = credential("a", "right", Sha256);
        expired.expires_at_ms = 1000;
        assert!(exchange(ScramHash::Sha256, &users(vec![expired.clone()]), "a", "right").is_err());
        expired.expires_at_ms = 1001;
        assert!(exchange(ScramHash::Sha256, &users(vec![expired]), "a", "right").is_ok());
    }

    #[test]
    fn an_unknown_user_takes_the_same_steps_as_a_known_one() {
        let users = users(vec![credential("a", "right", Sha256)]);
        // The first error is the same for both, so both got equally far.
        let end = |user: &str, last: &str| -> &'static str {
            let mut scram = Scram::new(ScramHash::Sha256);
            let first = format!("n,,n={user},r=abc");
            scram.challenge(first.as_bytes(), &users, &decoys(), "xyz").unwrap();
            match scram.verify(last.as_bytes(), 0) {
                Err(Failure::Refused { reason, .. }) => reason,
                Err(other) => panic!("{other}"),
                Ok(_) => panic!("a wrong proof was taken"),
            }
        };
        for last in ["c=biws,r=another,p=AAAA", "c=biws,r=abcxyz,p=AAAA"] {
            assert_eq!(end("a", last), end("b", last), "{last}");
        }
    }

    #[test]
    fn unknown_users_get_consistent_and_realistic_challenges() {
        let users = users(vec![credential("a", "right", Sha256)]);
        let challenge = |user: &str, secret: &[u8]| {
            Scram::new(ScramHash::Sha256)
                .challenge(
                    format!("n,,n={user},r=abc").as_bytes(),
                    &users,
                    &Decoys::new(secret),
                    "xyz",
                )
                .unwrap()
        };
        let (real, unknown) = (challenge("a", b"secret"), challenge("b", b"secret"));
        assert_eq!(real.len(), unknown.len());
        assert!(real.ends_with(",i=4096") && unknown.ends_with(",i=4096"));
        assert_eq!(unknown, challenge("b", b"secret"));
        assert_ne!(unknown, challenge("c", b"secret"));
        assert_ne!(unknown, challenge("b", b"another secret"));
        assert_eq!(real, challenge("a", b"another secret"));
    }

    #[test]
    fn refuses_a_message_that_was_modified_in_transit() {
        let users = users(vec![credential("a", "right", Sha256)]);
        let verify = |change: fn(String) -> String, header: &str| {
            let mut scram = Scram::new(ScramHash::Sha256);
            let server_first = scram.challenge(b"n,,n=a,r=abc", &users, &decoys(), "xyz").unwrap();
            let last = client_final(ScramHash::Sha256, "right", "n=a,r=abc", header, &server_first);
            scram.verify(change(last).as_bytes(), 0).is_ok()
        };
        assert!(verify(|last| last, "n,,"));
        assert!(!verify(|last| last, "y,,"), "another header");
        assert!(!verify(|last| last.replace("r=abc", "r=abd"), "n,,"), "another nonce");
        assert!(
            !verify(|last| last.replace(",p=", ",x=1,p="), "n,,"),
            "an added extension"
        );
    }

    #[test]
    fn accepts_a_repeated_client_nonce_but_no_other_change() {
        let users = users(vec![credential("a", "right", Sha256)]);
        let verify = |nonce: &str| {
            let mut scram = Scram::new(ScramHash::Sha256);
            let server_first = scram.challenge(b"n,,n=a,r=abc", &users, &decoys(), "xyz").unwrap();
            let last = client_final_with(nonce, ScramHash::Sha256, "right", "n=a,r=abc", ("n,,", &server_first));
            scram.verify(last.as_bytes(), 0).is_ok()
        };
        assert!(verify("r=abcxyz") && verify("r=abcabcxyz"));
        for other in [
            "r=",
            "r=abc",
            "r=xyz",
            "r=abdabcxyz",
            "r=abcabcabcxyz",
            "r=abcxyzabcxyz",
        ] {
            assert!(!verify(other), "{other}");
        }
    }

    #[test]
    fn a_client_can_only_act_as_itself() {
        let users = users(vec![credential("a", "right", Sha256)]);
        let first = |message: &[u8]| {
            Scram::new(ScramHash::Sha256)
                .challenge(message, &users, &decoys(), "xyz")
                .is_ok()
        };
        assert!(first(b"n,a=a,n=a,r=abc"));
        assert!(!first(b"n,a=b,n=a,r=abc"));
    }

    #[test]
    fn refuses_malformed_first_messages() {
        for message in [
            &b""[..],
            b"n",
            b"n,,",
            b"n,,n=,r=abc",
            b"n,,n=a",
            b"n,,n=a,r=",
            b"n,,n=a=20,r=abc",
            b"n,,m=x,n=a,r=abc",
            b"p=tls-unique,,n=a,r=abc",
            b"n,,n=a,r=abc,tokenauth=true",
            b"\xff,,n=a,r=abc",
        ] {
            let refused = Scram::new(ScramHash::Sha256).challenge(message, &Users::default(), &decoys(), "x");
            assert!(refused.is_err(), "{}", String::from_utf8_lossy(message));
        }
    }

    proptest! {
        #[test]
        fn no_message_panics_or_signs_in_without_the_password(
            first in "(n|y|p=x)?,(a=a)?,[nmr]=.{0,8},r=.{0,8}(,.{0,8})?",
            last in "c=[a-zA-Z0-9+/=]{0,12},r=.{0,12},p=[a-zA-Z0-9+/=]{0,48}",
        ) {
            let users = users(vec![credential("a", "right", Sha256)]);
            let mut scram = Scram::new(ScramHash::Sha256);
            let _ = scram.challenge(first.as_bytes(), &users, &decoys(), "xyz");
            prop_assert!(scram.verify(last.as_bytes(), 0).is_err());
        }
    }
}
