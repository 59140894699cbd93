//! Dialogues with a client that knows a password and a token but makes mistakes: PLAIN, SCRAM and OAUTHBEARER, with
//! tokens in SaslAuthenticate and in their own frames. A client gets in exactly if it makes no mistake.

use std::cell::OnceCell;

use arbitrary::Arbitrary;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use penstock_wire::messages::{ApiVersionsRequest, SaslAuthenticateRequest, SaslHandshakeRequest};
use penstock_wire::{Reader, Request, decode_response, encode_request};

use super::{Door, IdentityProvider, Mechanism, PASSWORD, Proof, USER, Visit, credentials, hash_of, proof};

/// The next action of a client.
#[derive(Arbitrary, Debug)]
pub enum Act<'a> {
    ApiVersions {
        version: u8,
    },
    Handshake {
        mechanism: Mechanism,
        is_bare: bool,
    },
    Plain {
        authorization: Option<Name<'a>>,
        user: Name<'a>,
        password: Option<&'a str>,
    },
    ScramFirst {
        header: &'a str,
        authorization: Option<Name<'a>>,
        user: Name<'a>,
        nonce: Option<&'a str>,
        extension: Option<&'a str>,
    },
    ScramLast {
        binding: Option<&'a str>,
        nonce: Nonce<'a>,
        extension: Option<&'a str>,
        password: Option<&'a str>,
        flaw: Option<(u8, u8)>,
    },
    Bearer {
        header: &'a str,
        authorization: Option<Name<'a>>,
        token: Token<'a>,
        flaw: Option<(u8, u8)>,
        extension: Option<&'a str>,
    },
    Any(&'a [u8]),
    /// A whole sign-in without mistakes.
    SignIn {
        mechanism: Mechanism,
        is_bare: bool,
    },
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Name<'a> {
    User,
    Other(&'a str),
}

impl<'a> Name<'a> {
    fn text(self) -> &'a str {
        match self {
            Self::User => USER,
            Self::Other(other) => other,
        }
    }

    fn escaped(self) -> String {
        self.text().replace('=', "=3D").replace(',', "=2C")
    }
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Nonce<'a> {
    Whole,
    /// With its nonce repeated, as in an old version of librdkafka.
    Doubled,
    Other(&'a str),
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Token<'a> {
    Right,
    OtherUser,
    OtherAudience,
    Any(&'a str),
}

struct Tokens {
    right: String,
    other_user: String,
    other_audience: String,
}

struct World {
    door: Door,
    tokens: Tokens,
}

impl World {
    fn new() -> Self {
        let provider = IdentityProvider::new();
        let world = Self {
            door: Door::new(credentials(PASSWORD), Some(provider.verifier())),
            tokens: Tokens {
                right: provider.token(USER, true),
                other_user: provider.token("bob", true),
                other_audience: provider.token(USER, false),
            },
        };
        // A target that nobody gets through would find nothing.
        for mechanism in [
            Mechanism::Plain,
            Mechanism::Scram256,
            Mechanism::Scram512,
            Mechanism::OauthBearer,
        ] {
            for is_bare in [false, true] {
                let (is_let_in, _) = world.act(&[Act::SignIn { mechanism, is_bare }]);
                assert!(is_let_in, "{mechanism:?} was refused");
            }
        }
        world
    }

    /// Returns whether the client got in, and whether it ever proved its identity.
    fn act(&self, acts: &[Act<'_>]) -> (bool, bool) {
        self.door.visit(async |visit| {
            let mut client = Client {
                visit,
                tokens: &self.tokens,
                mechanism: None,
                is_bare: false,
                first_header: String::new(),
                first_bare: String::new(),
                first_nonce: String::new(),
                may_be_user: false,
                challenge: String::new(),
                has_proven: false,
            };
            for act in acts.iter().take(16) {
                if client.perform(act).await.is_none() {
                    break;
                }
            }
            (client.visit.serves().await, client.has_proven)
        })
    }
}

struct Client<'a> {
    visit: Visit,
    tokens: &'a Tokens,
    mechanism: Option<Mechanism>,
    is_bare: bool,
    first_header: String,
    first_bare: String,
    first_nonce: String,
    may_be_user: bool,
    challenge: String,
    has_proven: bool,
}

impl Client<'_> {
    /// Returns `None` if the agent has closed the connection.
    async fn perform(&mut self, act: &Act<'_>) -> Option<()> {
        match act {
            Act::ApiVersions { version } => {
                let request = ApiVersionsRequest::default();
                self.call(&request, i16::from(version % 5)).await?;
            }
            Act::Handshake { mechanism, is_bare } => self.handshake(*mechanism, *is_bare).await?,
            Act::Plain {
                authorization,
                user,
                password,
            } => self.plain(*authorization, *user, *password).await?,
            Act::ScramFirst {
                header,
                authorization,
                user,
                nonce,
                extension,
            } => {
                self.scram_first((header, *authorization), *user, nonce.unwrap_or("abc"), *extension)
                    .await?;
            }
            Act::ScramLast {
                binding,
                nonce,
                extension,
                password,
                flaw,
            } => {
                self.scram_last(*binding, *nonce, *extension, (*password, *flaw))
                    .await?
            }
            Act::Bearer {
                header,
                authorization,
                token,
                flaw,
                extension,
            } => self.bearer((header, *authorization), *token, *flaw, *extension).await?,
            Act::Any(token) => drop(self.token(token).await?),
            Act::SignIn { mechanism, is_bare } => {
                self.handshake(*mechanism, *is_bare).await?;
                match mechanism {
                    Mechanism::Plain | Mechanism::Unknown => self.plain(None, Name::User, None).await?,
                    Mechanism::Scram256 | Mechanism::Scram512 => {
                        self.scram_first(("n", None), Name::User, "abc", None).await?;
                        self.scram_last(None, Nonce::Whole, None, (None, None)).await?;
                    }
                    Mechanism::OauthBearer => self.bearer(("n", None), Token::Right, None, None).await?,
                }
            }
        }
        Some(())
    }

    async fn handshake(&mut self, mechanism: Mechanism, is_bare: bool) -> Option<()> {
        let request = SaslHandshakeRequest {
            mechanism: mechanism.name().to_owned(),
        };
        self.mechanism = Some(mechanism);
        self.is_bare = is_bare;
        self.call(&request, i16::from(!is_bare)).await
    }

    async fn plain(&mut self, authorization: Option<Name<'_>>, user: Name<'_>, password: Option<&str>) -> Option<()> {
        let authorization = authorization.map_or("", Name::text);
        let message = format!("{authorization}\0{}\0{}", user.text(), password.unwrap_or(PASSWORD));
        // Only the content of the first three parts matters, not how it was produced.
        self.has_proven |=
            message == format!("\0{USER}\0{PASSWORD}") || message == format!("{USER}\0{USER}\0{PASSWORD}");
        self.token(message.as_bytes()).await.map(drop)
    }

    async fn scram_first(
        &mut self,
        (header, authorization): (&str, Option<Name<'_>>),
        user: Name<'_>,
        nonce: &str,
        extension: Option<&str>,
    ) -> Option<()> {
        let as_user = authorization.map_or_else(String::new, |name| format!("a={}", name.escaped()));
        let header = if header.is_empty() { "n" } else { header };
        self.first_header = format!("{header},{as_user},");
        let extension = extension.map_or_else(String::new, |text| format!(",{text}"));
        self.first_bare = format!("n={},r={nonce}{extension}", user.escaped());
        self.first_nonce = nonce.to_owned();
        // A header or nonce with commas may mean something other than intended.
        self.may_be_user = user.text() == USER || header.contains(',') || self.first_bare.contains(USER);
        let message = format!("{}{}", self.first_header, self.first_bare);
        self.challenge = String::from_utf8_lossy(&self.token(message.as_bytes()).await?).into_owned();
        Some(())
    }

    async fn scram_last(
        &mut self,
        binding: Option<&str>,
        nonce: Nonce<'_>,
        extension: Option<&str>,
        (password, flaw): (Option<&str>, Option<(u8, u8)>),
    ) -> Option<()> {
        let Some(hash) = self.mechanism.and_then(hash_of) else {
            return self.token(b"c=biws,r=abc,p=AAAA").await.map(drop);
        };
        let binding = binding.map_or_else(|| BASE64.encode(&self.first_header), str::to_owned);
        let whole = self.challenge.split(',').next().unwrap_or("").to_owned();
        let whole = whole.strip_prefix("r=").unwrap_or("");
        let nonce = match nonce {
            Nonce::Whole => whole.to_owned(),
            Nonce::Doubled => format!("{}{whole}", self.first_nonce),
            Nonce::Other(other) => other.to_owned(),
        };
        let extension = extension.map_or_else(String::new, |text| format!(",{text}"));
        let without_proof = format!("c={binding},r={nonce}{extension}");
        let covered = Proof {
            first_bare: &self.first_bare,
            challenge: &self.challenge,
            without_proof: &without_proof,
        };
        let password = password.unwrap_or(PASSWORD);
        let proof = proof(&hash, password, &covered, flaw);
        let is_right_nonce = !whole.is_empty() && nonce.ends_with(whole);
        self.has_proven |= password == PASSWORD && flaw.is_none() && is_right_nonce && self.may_be_user;
        self.token(format!("{without_proof},p={proof}").as_bytes())
            .await
            .map(drop)
    }

    async fn bearer(
        &mut self,
        (header, authorization): (&str, Option<Name<'_>>),
        token: Token<'_>,
        flaw: Option<(u8, u8)>,
        extension: Option<&str>,
    ) -> Option<()> {
        let mut bytes = match token {
            Token::Right => &self.tokens.right,
            Token::OtherUser => &self.tokens.other_user,
            Token::OtherAudience => &self.tokens.other_audience,
            Token::Any(any) => any,
        }
        .as_bytes()
        .to_vec();
        if let Some((place, bits)) = flaw {
            let len = bytes.len().max(1);
            if let Some(byte) = bytes.get_mut(usize::from(place) * 3 % len) {
                *byte ^= bits.max(1);
            }
        }
        let is_accepted = match token {
            Token::Right | Token::OtherUser => flaw.is_none(),
            Token::OtherAudience => false,
            Token::Any(any) => any.contains(&self.tokens.right),
        };
        self.has_proven |= is_accepted;
        let as_user = authorization.map_or_else(String::new, |name| format!("a={}", name.text()));
        let header = if header.is_empty() { "n" } else { header };
        let extension = extension.map_or_else(String::new, |text| format!("{text}\x01"));
        let start = format!("{header},{as_user},\x01{extension}auth=Bearer ");
        let message = [start.as_bytes(), &bytes, b"\x01\x01"].concat();
        self.token(&message).await.map(drop)
    }

    /// Sends a token in the format chosen by the handshake, and returns the token of the response.
    async fn token(&mut self, token: &[u8]) -> Option<Vec<u8>> {
        if self.is_bare {
            self.visit.send_frame(token).await?;
            return self.visit.receive().await;
        }
        let request = SaslAuthenticateRequest {
            auth_bytes: token.to_vec().into(),
        };
        self.ask(&request, 2).await.map(|answer| answer.auth_bytes.to_vec())
    }

    async fn call<R: Request>(&mut self, request: &R, version: i16) -> Option<()> {
        self.ask(request, version).await.map(drop)
    }

    async fn ask<R: Request>(&mut self, request: &R, version: i16) -> Option<R::Response> {
        let frame = encode_request(request, version, 1, Some("fuzz")).ok()?;
        self.visit.send(&frame.to_bytes()).await?;
        let answer = self.visit.receive().await?;
        let decoded = decode_response::<R>(&mut Reader::new(answer.into()), version);
        decoded.ok().map(|(_, answer)| answer)
    }
}

thread_local! {
    static WORLD: OnceCell<World> = const { OnceCell::new() };
}

/// Serves one connection of a client that performs these actions.
///
/// # Panics
/// Panics if the client gets in without a proof, or is refused without a mistake.
pub fn run(acts: &[Act<'_>]) {
    WORLD.with(|world| {
        let world = world.get_or_init(World::new);
        let (is_let_in, has_proven) = world.act(acts);
        assert!(has_proven || !is_let_in, "let in without a proof");
        if let [only @ Act::SignIn { mechanism, .. }] = acts {
            assert!(is_let_in || *mechanism == Mechanism::Unknown, "{only:?} was refused");
        }
    });
}
