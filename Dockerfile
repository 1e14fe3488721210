# The program alone, as a user without rights. Build it with `docker build -t seadrift:0.1.0 .`.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --bin seadrift

FROM debian:bookworm-slim
# The system's certificates are what `sslmode=verify-full` trusts.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /src/target/release/seadrift /usr/local/bin/seadrift
COPY --from=build /src/specs /specs
USER 65532:65532
WORKDIR /
ENTRYPOINT ["seadrift"]
CMD ["--help"]
