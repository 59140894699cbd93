//! Tests the client with a server that sends scripted responses and records requests.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinHandle,
};

use super::*;

/// Answers one connection after another; an empty answer closes the connection. The task yields the requests.
async fn serve(answers: &'static [&'static str]) -> (Api, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !is_whole(&request) {
                assert_ne!(socket.read_buf(&mut request).await.unwrap(), 0);
            }
            requests.push(String::from_utf8(request).unwrap());
            socket.write_all(answer.as_bytes()).await.unwrap();
        }
        requests
    });
    let key = ApiKey::parse("psk_api_secret").unwrap();
    (Api::new(Url::parse(&origin).unwrap(), Some(&key)).unwrap(), server)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = header(head, "content-length").map_or(0, |length| length.parse().unwrap());
    body.len() >= length
}

fn header<'a>(request: &'a str, name: &str) -> Option<&'a str> {
    request.lines().skip(1).find_map(|line| {
        let (found, value) = line.split_once(": ")?;
        found.eq_ignore_ascii_case(name).then_some(value)
    })
}

fn first_lines(requests: &[String]) -> Vec<&str> {
    requests.iter().filter_map(|request| request.lines().next()).collect()
}

const BUSY: &str = "HTTP/1.1 503 Busy\r\nconnection: close\r\n\r\n{\"title\":\"Service unavailable\"}";
const DONE: &str = "HTTP/1.1 201 Created\r\nconnection: close\r\netag: \"e\"\r\n\r\n{\"id\":\"1\"}";

#[tokio::test]
async fn creates_a_resource_once_despite_retries() {
    let (api, server) = serve(&[BUSY, "", DONE]).await;
    let answer = api
        .post(&["clusters"], &serde_json::json!({"name": "a"}))
        .await
        .unwrap();
    assert_eq!(
        (answer.body.as_str(), answer.etag.as_deref()),
        ("{\"id\":\"1\"}", Some("\"e\""))
    );
    let requests = server.await.unwrap();
    let keys: Vec<_> = requests
        .iter()
        .map(|request| header(request, "idempotency-key").unwrap())
        .collect();
    assert_eq!(keys.len(), 3);
    assert!(keys.iter().all(|key| *key == keys[0]));
    assert_eq!(header(&requests[0], "authorization"), Some("Bearer psk_api_secret"));
}

#[tokio::test]
async fn sends_a_change_or_deletion_once_with_the_read_etag() {
    let (api, server) = serve(&[BUSY, ""]).await;
    let body = serde_json::json!({});
    let error = api.patch(&["clusters", "1"], &body, Some("\"e\"")).await.unwrap_err();
    assert_eq!(error.exit, Exit::Refused);
    let error = api.delete(&["clusters", "1"], &[], Some("\"e\"")).await.unwrap_err();
    assert_eq!(error.exit, Exit::Network);
    assert!(error.to_string().contains("may or may not have been made"));
    let requests = server.await.unwrap();
    assert!(
        requests
            .iter()
            .all(|request| header(request, "if-match") == Some("\"e\""))
    );
}

#[tokio::test]
async fn a_list_contains_all_pages_as_the_api_sent_them() {
    let (api, server) = serve(&[
        "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"items\":[{\"z\":1.0,\"a\":\"\\u00e9\"}],\"nextCursor\":\"a b\"}",
        "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"items\":[{\"z\":12345678901234567890}],\"nextCursor\":null}",
    ])
    .await;
    let answer = api.list(&["clusters"]).await.unwrap();
    assert_eq!(
        answer.body,
        r#"{"items":[{"z":1.0,"a":"\u00e9"},{"z":12345678901234567890}],"nextCursor":null}"#
    );
    let requests = server.await.unwrap();
    assert_eq!(
        first_lines(&requests),
        [
            "GET /api/v1/clusters?limit=100 HTTP/1.1",
            "GET /api/v1/clusters?limit=100&cursor=a+b HTTP/1.1"
        ]
    );
}

#[tokio::test]
async fn never_sends_a_key_to_a_redirect_target() {
    let (api, server) =
        serve(&["HTTP/1.1 307 Elsewhere\r\nconnection: close\r\nlocation: https://evil.example.com/\r\n\r\n"]).await;
    let error = api.get(&["clusters"]).await.unwrap_err();
    assert_eq!(error.exit, Exit::Network);
    assert!(error.to_string().contains("https://evil.example.com/"));
    assert_eq!(server.await.unwrap().len(), 1);
}

#[tokio::test]
async fn neither_the_client_nor_its_errors_show_the_key() {
    let (api, server) = serve(&["HTTP/1.1 401 No\r\nconnection: close\r\n\r\n{\"title\":\"Unauthorized\"}"]).await;
    let error = api.get(&["organization"]).await.unwrap_err();
    assert_eq!(error.exit, Exit::SignedOut);
    assert!(!format!("{api:?}{error:?}{error}").contains("psk_api_secret"));
    server.await.unwrap();
}
