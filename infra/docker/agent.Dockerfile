# The agent as an image. From the root of the repository:
#   docker build -f infra/docker/agent.Dockerfile -t penstock-agent:0.1.0 .
FROM rust:1.95-bookworm AS build
WORKDIR /src
# The agent's build reads the RPC contract from the package that owns it.
COPY packages/metadata-protocol packages/metadata-protocol
COPY apps/agent apps/agent
RUN cargo build --release --locked --manifest-path apps/agent/Cargo.toml

FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home penstock
COPY --from=build /src/apps/agent/target/release/penstock /usr/local/bin/penstock
USER penstock
EXPOSE 9092 9464 9466
# For traces: -e PENSTOCK_TRACES=true -e OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318
ENTRYPOINT ["penstock"]
CMD ["agent"]
