# The developer's commands; `make` alone lists them. Needs Python 3.11 to 3.13 and nothing else.
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
PYTEST_FLAGS ?= -n auto
BENCH_FLAGS ?=
EXPERIMENT_FLAGS ?=
LOCK_FLAGS ?=
MUTANTS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check

python_version := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)

# Stamps, so that a second call does nothing. The first carries the interpreter's version: another
# interpreter makes the environment anew.
made := $(VENV)/.made-by-$(python_version)
demo_ready := $(VENV)/.ready-for-demo
test_ready := $(VENV)/.ready-for-test
mutants_ready := $(VENV)/.ready-for-mutants

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test quick lint types format prove mutants bench experiments wheel lock clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

demo: $(demo_ready) ## Review real public records, show what each conclusion rests on, and gate three shipments.
	$(BIN)/python examples/demo.py

test: lint types ## Everything that must hold before a change lands: style, types, all tests.
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

quick: lint types ## The same in about two minutes: no slow tests, fewer generated examples.
	$(BIN)/python -m pytest $(PYTEST_FLAGS) -m "not slow" --hypothesis-profile quick

lint: $(test_ready) ## Lint, and check the format.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(test_ready) ## Type-check the four packages.
	$(BIN)/mypy

format: $(test_ready) ## Format, and mend what the linter can mend.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

prove: $(test_ready) ## Confirm and test every clause; fails when one falls or is no longer confirmed.
	$(BIN)/licet prove

mutants: $(mutants_ready) ## Change the core in one place at a time, and see that tests notice; MUTANTS names modules.
	$(BIN)/python -m tests.mutants.run $(MUTANTS)

bench: $(test_ready) ## Measure; BENCH_FLAGS passes options on.
	$(BIN)/python -m benchmarks $(BENCH_FLAGS)

experiments: $(test_ready) ## Rerun the papers' experiments; EXPERIMENT_FLAGS passes options on.
	$(BIN)/python -m benchmarks.experiments $(EXPERIMENT_FLAGS)

wheel: $(test_ready) ## Build the distribution into dist/.
	rm -rf dist
	$(BIN)/python -m hatchling build -t wheel

# The markers of what an extra asks for are not written by pip-compile.
lock: ## Write the locks anew with Python 3.11; LOCK_FLAGS=--upgrade takes newer versions.
	@test "$(python_version)" = 3.11 || { \
	  echo "The locks are made with the oldest Python supported: make lock PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/tools.txt
	$(compile) --all-extras -o requirements/test.txt pyproject.toml requirements/build.in
	sed -i.bak -E "s/^(stormpy==[^ ;]+)( ;[^\\]*)? /\1 ; sys_platform == 'linux' and platform_machine == 'x86_64' /" requirements/test.txt
	rm requirements/test.txt.bak
	$(compile) -c requirements/test.txt -o requirements/mutants.txt requirements/mutants.in
	$(compile) --extra cli -c requirements/test.txt -o requirements/demo.txt pyproject.toml requirements/build.in
	$(compile) -c requirements/test.txt -o requirements/core.txt pyproject.toml
	$(compile) --allow-unsafe -o requirements/tools.txt requirements/tools.in
	@! grep -nE '^[^#]*(https?|file):' requirements/*.txt || { echo "A lock names an address." >&2; exit 1; }

compile = CUSTOM_COMPILE_COMMAND="make lock" .venv-lock/bin/pip-compile --quiet --strip-extras \
  --generate-hashes --no-emit-options --no-emit-index-url --no-emit-trusted-host $(LOCK_FLAGS)

clean: ## Remove the environments, builds and caches.
	rm -rf .venv .venv-lock build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(made):
	@case "$(python_version)" in \
	  3.11|3.12|3.13) ;; \
	  "") echo "licet needs Python 3.11, 3.12 or 3.13; there is no '$(PYTHON)' here." >&2; \
	      echo "Name one that is: make $(or $(firstword $(MAKECMDGOALS)),test) PYTHON=python3.12" >&2; exit 1 ;; \
	  *) echo "licet needs Python 3.11, 3.12 or 3.13; '$(PYTHON)' is Python $(python_version)." >&2; \
	     echo "Name another one: make $(or $(firstword $(MAKECMDGOALS)),test) PYTHON=python3.12" >&2; exit 1 ;; \
	esac
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(demo_ready): $(made) requirements/demo.txt pyproject.toml
	$(PIP_INSTALL) --require-hashes -r requirements/demo.txt
	$(PIP_INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@

$(test_ready): $(made) requirements/test.txt pyproject.toml
	$(PIP_INSTALL) --require-hashes -r requirements/test.txt
	$(PIP_INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@

$(mutants_ready): $(test_ready) requirements/mutants.txt
	$(PIP_INSTALL) --require-hashes -r requirements/mutants.txt
	@touch $@
