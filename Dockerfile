# Patchbay's image: `docker build .` from a clean clone. pip installs the wheels that the lock file names, each checked by
# its hash: from the package index, or without a network from a local wheelhouse where deploy/wheelhouse has filled one.
# Pin the base by digest: --build-arg BASE=python:3.12-slim-bookworm@sha256:… (docs/installing.md: how to look it up).
# Nothing in it depends on the processor: `docker buildx build --platform linux/amd64,linux/arm64 .` builds for both.
ARG BASE=python:3.12-slim-bookworm

FROM ${BASE} AS build
ARG PYTHON=python3
# Another index, or its certificates' file, mounted by who builds; unset, pip takes its own.
ARG PIP_INDEX_URL
ARG PIP_TRUSTED_HOST
ARG PIP_CERT
WORKDIR /src
# The layer of the dependencies: it is made anew only when a lock file changes.
COPY requirements.lock requirements-dev.lock ./
COPY deploy/wheelhouse.d/ /wheels/
RUN ${PYTHON} -m venv /opt/patchbay \
 && awk '/^setuptools==/{keep=1} keep{print} keep&&!/\\$/{exit}' requirements-dev.lock >build.lock \
 && if ls /wheels/*.whl >/dev/null 2>&1; then from="--no-index --find-links /wheels"; fi \
 && /opt/patchbay/bin/python -m pip install --no-cache-dir --only-binary :all: ${from-} --require-hashes -r requirements.lock -r build.lock
COPY pyproject.toml README.md LICENSE ./
COPY game/ game/
COPY server/ server/
COPY migrations/ migrations/
RUN /opt/patchbay/bin/python -m pip install --no-cache-dir --no-index --no-deps --no-build-isolation . \
 && /opt/patchbay/bin/python -m pip uninstall -q -y setuptools pip \
 && cd /opt/patchbay/lib/python3*/site-packages \
 && find babel/locale-data -name '*.dat' ! -name 'root.dat' ! -name 'en*.dat' ! -name 'zh*.dat' -delete \
 && rm -rf sqlalchemy/testing alembic/testing greenlet/tests \
 && find . -type f \( -name '*.pyx' -o -name '*.c' -o -name '*.cpp' -o -name '*.h' -o -name '*.pyi' -o -name '*.pyc' \) -delete \
 && /opt/patchbay/bin/python -m compileall -q . \
 && /opt/patchbay/bin/python -c 'from server.i18n.catalogues import load_all; load_all()'

FROM ${BASE}
LABEL org.opencontainers.image.title="Patchbay" \
      org.opencontainers.image.description="Tabletop games in a terminal, over SSH" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /opt/patchbay /opt/patchbay
RUN groupadd --system --gid 10001 patchbay \
 && useradd --system --uid 10001 --gid patchbay --home-dir /data --shell /usr/sbin/nologin patchbay \
 && install -d -o patchbay -g patchbay -m 0700 /data
ENV PATH=/opt/patchbay/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PATCHBAY_DATA_DIR=/data \
    PATCHBAY_HOST=0.0.0.0,:: \
    PATCHBAY_PORT=2222 \
    PATCHBAY_LOG=json
USER patchbay
WORKDIR /data
VOLUME /data
EXPOSE 2222
STOPSIGNAL SIGTERM
# An SSH version exchange with the running server, then a read of its database.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["patchbay", "check", "--live"]
ENTRYPOINT ["patchbay"]
CMD ["serve"]
