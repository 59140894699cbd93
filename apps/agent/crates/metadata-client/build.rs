//! Generates the message types from the RPC contract. Compiles the .proto files in Rust, so that no machine needs
//! `protoc`.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let include: PathBuf = [
        env!("CARGO_MANIFEST_DIR"),
        "../../../../packages/metadata-protocol/proto",
    ]
    .iter()
    .collect();
    let contract = include.join("penstock/metadata/v1/metadata.proto");
    println!("cargo:rerun-if-changed={}", contract.display());
    let descriptors = protox::compile([&contract], [&include])?;
    prost_build::Config::new()
        .bytes(["."])
        // Implemented by hand: see `redacted.rs`.
        .skip_debug([".penstock.metadata.v1.ScramProof"])
        .compile_fds(descriptors)?;
    Ok(())
}
