# The agent as an image. From the root of the repository:
#   docker build -f infra/docker/agent.Dockerfile -t penstock-agent:0.1.0 .
FROM rust:1.95-bookworm AS build
WORKDIR /src
# The agent's build reads the RPC contract from the package that owns it.
COPY packages/metadata-protocol packages/metadata-protocol
COPY apps/agent apps/agent
# A member of the Cargo workspace: without it, Cargo refuses to read the workspace.
COPY e2e/bench/load e2e/bench/load
WORKDIR /src/apps/agent
RUN cargo build --release --locked --bin penstock
RUN cargo tree --locked --package penstock-agent --edges normal,no-proc-macro --prefix depth --format '{p}|{l}' > /cargo-tree

FROM debian:bookworm-slim AS system
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home penstock

FROM system AS packages
RUN dpkg-query --show --showformat '${Package}\t${Version}\t${Architecture}\n' > /debian-packages

FROM node:24-bookworm-slim AS sbom
WORKDIR /src
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY packages/sbom packages/sbom
RUN npx --yes pnpm@10.34.9 install --frozen-lockfile --prod --filter @penstock/sbom
COPY --from=build /cargo-tree /src/apps/agent/Cargo.lock /
COPY --from=packages /debian-packages /
RUN node packages/sbom/src/main.ts --version 0.1.0 --cargo-tree /cargo-tree --cargo-lock /Cargo.lock \
    --debian-packages /debian-packages --debian-release 12 > /penstock-agent.cdx.json

FROM system
COPY --from=build /src/apps/agent/target/release/penstock /usr/local/bin/penstock
COPY --from=sbom /penstock-agent.cdx.json /usr/local/share/sbom/penstock-agent.cdx.json
USER penstock
EXPOSE 9092 9464 9466
# For traces: -e PENSTOCK_TRACES=true -e OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318
ENTRYPOINT ["penstock"]
CMD ["agent"]
