# The command in a container, from an archive that ./release --runtime made:
#
#   docker build --build-arg ARCHIVE=target/lovelace-0.1.0-linux-x86_64-runtime.tar.gz -t lovelace .
#   docker run --rm -v "$PWD:/data" lovelace fit table.csv --target y --model model.lvl
#   docker run --rm -v "$PWD/models:/models:ro" -p 127.0.0.1:8080:8080 lovelace
#
# Without arguments it serves the models in /models.

FROM debian:13-slim AS unpacked
ARG ARCHIVE
COPY ${ARCHIVE} /tmp/lovelace.tar.gz
RUN mkdir /opt/lovelace && tar -xzf /tmp/lovelace.tar.gz --strip-components=1 -C /opt/lovelace

FROM debian:13-slim
COPY --from=unpacked /opt/lovelace /opt/lovelace
RUN ln -s /opt/lovelace/lovelace /usr/local/bin/lovelace \
    && useradd --create-home --uid 10001 lovelace \
    && mkdir /data /models \
    && chown lovelace:lovelace /data /models
USER 10001
WORKDIR /data
EXPOSE 8080
# The server answers on the port that EXPOSE names; another command has no health to check.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /v2/health/ready HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r _ code _ <&3 && [ \"$code\" = 200 ]"]
ENTRYPOINT ["lovelace"]
# Who reaches the port may ask: publish it on 127.0.0.1, or set LOVELACE_TOKEN and leave out --insecure.
CMD ["serve", "--models", "/models", "--host", "0.0.0.0", "--insecure"]
