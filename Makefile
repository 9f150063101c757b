# Upcard. Needs Python 3.11 or newer and GNU make (3.81, as on macOS, is enough); uses uv when it is on PATH.

# What `make run` starts: make run RUN="serve --help"
RUN ?= serve
# Further words for pytest, bench or lock: make test ARGS="-k deal -x"
ARGS ?=
# Run or measure the compiled program: make run FAST=1
FAST ?=
# How many tests run at once.
WORKERS ?= auto
# A Python of your choice for `make setup`: make setup PYTHON=/path/to/python3.12
PYTHON ?=
# Ready-made wheels only, so no compiler is needed; empty (WHEELS=) allows source builds.
WHEELS ?= --only-binary :all:

LOCK := deploy/requirements.lock
BIN := .venv/bin
READY := .venv/.ready
COMPILED := build/fast/.made
SOURCES := $(shell find engine cards rooms server -type f ! -name '*.pyc' 2>/dev/null)

# The environment is made anew when it is missing, broken, half made or was moved from another folder.
stale := $(shell [ -x $(BIN)/python ] && [ "$$(cat $(READY) 2>/dev/null)" = "$$(pwd -P)" ] || echo stale)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
export PYTHONPATH := $(if $(FAST),$(CURDIR)/build/fast)
.PHONY: help setup run fast test check bench bench-browser bench-peers pictures soak lock clean stale

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done

setup: $(READY) ## make .venv and install the locked packages (only when something changed)

run: setup $(if $(FAST),$(COMPILED)) ## start Upcard with its own embedded store
	@$(BIN)/upcard $(RUN)

fast: setup $(COMPILED) ## compile what every move goes through, for make run FAST=1 (needs a C compiler)

test: setup ## run the whole test suite
	@$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

check: setup ## lint, formatting and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict -p engine -p cards -p rooms -p server

bench: setup ## measure speed and size
	@$(BIN)/python -m tests.bench $(ARGS)

bench-browser: setup ## measure the browser client (needs Chromium)
	@$(BIN)/python -m tests.bench.drawing $(ARGS)

bench-peers: setup $(if $(FAST),$(COMPILED)) ## compare with Colyseus and boardgame.io (needs npm, takes about ten minutes)
	@$(BIN)/python -m tests.bench.peers $(ARGS)

pictures: setup ## photograph every state of the client into build/pictures (needs Chromium)
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

soak: setup ## repeat the fault tests for a long time
	@$(BIN)/python -m pytest -m soak --timeout 3600 $(ARGS)

lock: ## renew the lock after a change of pyproject.toml (needs uv; ARGS=--upgrade for newer versions)
	@env -u UV_INDEX -u UV_DEFAULT_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS \
		uv pip compile -q --no-config --universal --python-version 3.11 --only-binary :all: --generate-hashes \
		--no-emit-index-url --no-header --no-annotate --extra dev $(ARGS) pyproject.toml -o $(LOCK)

clean: ## remove .venv, caches and build output
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	@find . -name .git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

$(COMPILED): deploy/compile.py $(SOURCES) | $(READY)
	@PYTHONPATH= $(BIN)/python deploy/compile.py build/fast
	@touch $@

$(READY): pyproject.toml $(LOCK) $(stale)
	@rm -f $@; \
	uv=$$(command -v uv || true); \
	if [ -n "$(stale)" ] || [ ! -x $(BIN)/python ]; then \
		python=; \
		for name in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
			python=$$("$$name" -c 'import sys; sys.version_info < (3, 11) and sys.exit(1); print(sys.executable)' 2>/dev/null) && break; \
			python=; \
		done; \
		if [ -z "$$python" ] && { [ -z "$$uv" ] || [ -n "$(PYTHON)" ]; }; then \
			echo "Upcard needs Python 3.11 or newer, and $(or $(PYTHON),python3) is $$($(or $(PYTHON),python3) --version 2>&1 | tail -n 1 | grep '^Python' || echo 'not there')." >&2; \
			echo "Install one, or name it: make setup PYTHON=/path/to/python3.12" >&2; \
			exit 1; \
		fi; \
		rm -rf .venv; \
		if [ -n "$$uv" ]; then \
			uv venv -q --python "$${python:-3.13}" .venv || exit 1; \
		elif ! "$$python" -m venv .venv >/dev/null 2>&1; then \
			rm -rf .venv; \
			echo "$$python cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv" >&2; \
			exit 1; \
		fi; \
	fi; \
	echo "Installing $$(grep -c '^[a-z].*==' $(LOCK)) locked packages into .venv (the first time takes a minute or so)"; \
	if [ -n "$$uv" ]; then \
		install="uv pip install --python $(BIN)/python"; \
	else \
		$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null || exit 1; \
		install="$(BIN)/python -u -m pip install --progress-bar off --no-input --disable-pip-version-check"; \
	fi; \
	{ $$install --require-hashes $(WHEELS) -r $(LOCK) \
		&& $$install -q --no-deps --no-build-isolation -e . && echo "setup done"; } 2>&1 \
	| tee .venv/setup.log | { n=0; while IFS= read -r line; do case $$line in \
		Collecting*|Processing*) n=$$((n + 1)); [ $$((n % 10)) -ne 0 ] || echo "  $$n packages fetched";; \
		"Installing collected"*) echo "  unpacking";; \
		Downloading\ *iB\)|Resolved*|Prepared*) echo "  $$line";; \
	esac; done; }; \
	if [ "$$(tail -n 1 .venv/setup.log)" != "setup done" ]; then \
		grep -v '^WARNING: Location' .venv/setup.log | tail -n 20 >&2; \
		echo "The packages could not be installed; all that was said is in .venv/setup.log" >&2; \
		exit 1; \
	fi; \
	pwd -P > $@; \
	echo "Ready: $$($(BIN)/python --version) in .venv"
