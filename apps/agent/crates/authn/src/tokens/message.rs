//! The message of an OAUTHBEARER client: `n,a=identity,` and key-value pairs, with the token in `auth`.

use crate::failure::Failure;

const SEPARATOR: char = '\u{1}';

/// The token, and the user as which the client wants to act.
pub(crate) struct Bearer<'a> {
    pub(crate) token: &'a str,
    pub(crate) authorization_id: Option<&'a str>,
}

/// Parses the client's message. Ignores extensions.
pub(crate) fn bearer_token(message: &[u8]) -> Result<Bearer<'_>, Failure> {
    read(message).ok_or_else(|| Failure::malformed("the OAUTHBEARER message"))
}

fn read(message: &[u8]) -> Option<Bearer<'_>> {
    let message = std::str::from_utf8(message).ok()?;
    let (header, pairs) = message.split_once(SEPARATOR)?;
    let mut header = header.split(',');
    // No channel binding.
    if !matches!(header.next()?, "n" | "y") {
        return None;
    }
    let authorization_id = match header.next()? {
        "" => None,
        given => Some(given.strip_prefix("a=")?),
    };
    if header.next() != Some("") || header.next().is_some() {
        return None;
    }
    let authorization = pairs.split(SEPARATOR).find_map(|pair| pair.strip_prefix("auth="))?;
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(Bearer {
        token: token.trim_start(),
        authorization_id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_token_among_the_pairs() {
        let bearer = bearer_token(b"n,,\x01auth=Bearer a.b.c\x01\x01").unwrap();
        assert_eq!((bearer.token, bearer.authorization_id), ("a.b.c", None));
        let bearer = bearer_token(b"n,a=orders,\x01trace=7\x01auth=bearer a.b.c\x01\x01").unwrap();
        assert_eq!((bearer.token, bearer.authorization_id), ("a.b.c", Some("orders")));
    }

    #[test]
    fn refuses_malformed_messages() {
        for message in [
            &b""[..],
            b"\x01",
            b"n,,",
            b"n,\x01auth=Bearer x\x01\x01",
            b"p=tls-unique,,\x01auth=Bearer x\x01\x01",
            b"n,b,\x01auth=Bearer x\x01\x01",
            b"n,,\x01auth=Basic x\x01\x01",
            b"n,,\x01token=x\x01\x01",
            b"\xff,,\x01auth=Bearer x\x01\x01",
        ] {
            assert!(bearer_token(message).is_err(), "{}", String::from_utf8_lossy(message));
        }
    }
}
