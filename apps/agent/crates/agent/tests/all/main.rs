//! Tests an agent over its sockets, with in-memory storage and metadata service. All files form one program, because
//! linking each separately takes longer than running it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod authentication;
mod connections;
mod harness;
mod message_browser;
mod moved_records;
mod produce_and_fetch;
mod quotas;
mod tls;
mod topic_rules;
