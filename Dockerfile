# The program alone, in an image without anything else:
#
#   docker build -t capplan .
#   docker run --rm -v "$PWD:/work" capplan size --load 120 --max-blocking 1%
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /capplan ./cmd/capplan

FROM scratch
COPY --from=build /capplan /usr/bin/capplan
# Time zones, and who vouches for the Prometheus server behind https.
COPY --from=build /usr/local/go/lib/time/zoneinfo.zip /zoneinfo.zip
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
ENV ZONEINFO=/zoneinfo.zip
WORKDIR /work
ENTRYPOINT ["/usr/bin/capplan"]
