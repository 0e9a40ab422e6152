# Everything a fresh machine needs: `make serve` plays, `make test` checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCKED := $(VENV)/.locked# what the server's lock file names is installed
SERVING := $(VENV)/.serving# and the server, from this folder
STAMP := $(VENV)/.installed# and what tests and tools need
SECTIONS := rules store sessions lines web restart workers# of the figures: `make bench rules` prints one

.PHONY: help serve install test again check format bench $(SECTIONS) durability soak load hostile lock clean

help:
	@echo 'make serve      build .venv, migrate the database, listen on port 2222'
	@echo 'make install    put the program into /opt/patchbay, for the unit; INTO=… names another place'
	@echo 'make test       run the whole test suite'
	@echo 'make again      run once more, one by one, what failed in make test'
	@echo 'make check      check format, lint and types; make format mends the first two'
	@echo 'make bench      print the performance figures; make bench rules prints those of the rules and bots'
	@echo 'make load       run SESSIONS clients for MINUTES; ONLY="mixed gallery rush leaks" chooses'
	@echo 'make hostile    run each hostile client for SECONDS beside an innocent player'
	@echo 'make soak       run the long volumes with a new seed; make durability is its first part'
	@echo 'make lock       renew the lock files from pyproject.toml'
	@echo 'make clean      remove .venv and caches'

serve: $(SERVING)
	@$(BIN)/patchbay serve

# For the unit, and for its upgrades. It is built from a copy: from a `build` that is left here setuptools would install
# what an earlier release had. Everybody may read it, whatever root's umask.
INTO ?= /opt/patchbay
SOURCE = pyproject.toml README.md LICENSE game server migrations
install:
	@umask 022 && $(MAKE) --no-print-directory VENV=$(INTO) $(INTO)/.locked
	@umask 022 && from=$$(mktemp -d) && trap 'rm -rf "$$from"' EXIT && cp -R $(SOURCE) "$$from" \
	    && $(INTO)/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation "$$from" \
	    && cd / && $(INTO)/bin/python -c 'from server.i18n.catalogues import load_all; load_all()'
	@$(INTO)/bin/patchbay --version

# Many tests wait for a server of their own: two processes more than there are processors.
TESTERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 2)")
test: $(STAMP)
	@$(BIN)/python -m pytest -q -n $(TESTERS) --dist loadfile --no-loadscope-reorder -m "not soak" --durations 20

again: $(STAMP)
	@$(BIN)/python -m pytest -q -m "not soak" --last-failed --last-failed-no-failures none

check: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

format: $(STAMP)
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(STAMP)
	@$(BIN)/python -m tests.bench $(filter $(SECTIONS),$(MAKECMDGOALS))
$(SECTIONS): bench
	@:

# Many real clients at once: SESSIONS on a full server, for MINUTES; ONLY="mixed gallery rush leaks" chooses scenarios.
SESSIONS ?= 1000
MINUTES ?= 5
load: $(STAMP)
	@$(BIN)/python -m tests.load --sessions $(SESSIONS) --minutes $(MINUTES) $(addprefix --only ,$(ONLY))

# Long volumes, hours of them; `make durability` is the part that breaks things (docs/measuring.md: what it says).
SOAK = TEST_SEED=$${TEST_SEED:-$$(date +%s)} $(BIN)/python -m pytest -q --timeout 0 --durations 0 --durations-min 5 -m soak
BATTERIES = tests/conformance tests/relati/test_against_naive.py tests/netrunner/test_secrets.py tests/netrunner/test_reading.py
durability: $(STAMP)
	@$(SOAK) tests/durability tests/store
soak: durability
	@$(SOAK) tests --ignore tests/durability --ignore tests/store
	@$(SOAK) -m "not soak" $(BATTERIES)

# Each hostile client alone for so long, with an innocent player beside it (docs/measuring.md).
SECONDS ?= 60
hostile: $(STAMP)
	@$(BIN)/python -m tests.hostile --seconds $(SECONDS)

# The lock files pin every dependency by hash; `make lock` renews them from pyproject.toml.
lock: $(STAMP)
	@$(BIN)/pip install -q uv
	@$(BIN)/uv pip compile --universal --generate-hashes --python-version 3.11 --extra server --extra research --extra dev --no-header --no-annotate -o requirements-dev.lock pyproject.toml >/dev/null
	@$(BIN)/uv pip compile --universal --generate-hashes --python-version 3.11 --extra server --no-header --no-annotate -c requirements-dev.lock -o requirements.lock pyproject.toml >/dev/null

PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
INSTALL = @$(PIP) --require-hashes -r

# What builds our own package is pinned with the tests' tools: the server's lock alone lacks it.
$(LOCKED): requirements.lock requirements-dev.lock | $(BIN)/python
	@awk '/^setuptools==/{keep=1} keep{print} keep&&!/\\$$/{exit}' requirements-dev.lock >$(VENV)/build.lock
	$(INSTALL) requirements.lock -r $(VENV)/build.lock
	@touch $@

$(SERVING): $(LOCKED) pyproject.toml
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(STAMP): $(SERVING)
	$(INSTALL) requirements-dev.lock
	@touch $@

# A .venv without a pip that runs was left half-made, or its Python has gone: it is made anew, with all stamps.
ifneq ($(shell $(BIN)/python -c 'import pip; print("well")' 2>/dev/null),well)
.PHONY: $(BIN)/python
$(LOCKED): $(BIN)/python
endif
NEEDS = Patchbay needs Python 3.11 or newer with venv and pip
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	    || { echo "$(NEEDS), and $(PYTHON) is $$(command -v "$(PYTHON)" >/dev/null && "$(PYTHON)" --version 2>&1 || echo missing): make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	    || { echo "$(NEEDS), and $(PYTHON) has no venv or pip (Debian: python3-venv python3-pip; Fedora: python3-pip)" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
