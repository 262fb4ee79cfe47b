# An image with nothing but the static program. docs/manual/installing.md shows how to use it.
FROM rust:1.95-alpine AS build
# A dependency has code in C.
RUN apk add --no-cache ca-certificates gcc musl-dev
WORKDIR /source
COPY . .
# On Alpine the C library is musl, with which Rust links programs statically.
RUN CARGO_PROFILE_RELEASE_STRIP=symbols cargo build --locked --release --package kalah-cli
RUN mkdir -p /image/data /image/etc/ssl/certs && cp target/release/kalah /image/ && \
    cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ && chown 65532:65532 /image/data

FROM scratch
COPY --from=build /image /
# A number that no system gives to anybody: no root, and no list of users in the image.
USER 65532:65532
WORKDIR /data
ENTRYPOINT ["/kalah"]
