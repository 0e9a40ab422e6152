# Everything a fresh machine needs: `make serve` plays, `make test` checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: serve test again check format bench durability soak load hostile lock catalogues clean

serve: $(STAMP)
	@$(BIN)/patchbay serve

test: $(STAMP)
	@$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not soak"

# What failed last time, alone and one after the other: tells a mistake from a test that the crowd starved.
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
	@$(BIN)/python -m tests.bench

# Many real clients at once: SESSIONS in a full house, for MINUTES; ONLY="mixed gallery rush leaks" chooses scenarios.
SESSIONS ?= 1000
MINUTES ?= 5
load: $(STAMP)
	@$(BIN)/python -m tests.load --sessions $(SESSIONS) --minutes $(MINUTES) $(addprefix --only ,$(ONLY))

# Long volumes, hours of them; `make durability` is the part that breaks things (docs/operations.md: what it says).
SOAK = TEST_SEED=$${TEST_SEED:-$$(date +%s)} $(BIN)/python -m pytest -q --timeout 0 --durations 0 --durations-min 5 -m soak
durability: $(STAMP)
	@$(SOAK) tests/durability tests/store
soak: durability
	@$(SOAK) tests --ignore tests/durability --ignore tests/store

# Each hostile client alone for so long, with an innocent player beside it (docs/operations.md).
SECONDS ?= 60
hostile: $(STAMP)
	@$(BIN)/python -m tests.hostile --seconds $(SECONDS)

# The lock files pin every dependency by hash; `make lock` renews them from pyproject.toml.
lock: $(STAMP)
	@$(BIN)/pip install -q uv
	@$(BIN)/uv pip compile --universal --generate-hashes --python-version 3.11 --extra dev --no-header --no-annotate -o requirements-dev.lock pyproject.toml >/dev/null
	@$(BIN)/uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --no-annotate -c requirements-dev.lock -o requirements.lock pyproject.toml >/dev/null

$(STAMP): requirements-dev.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
