# `make run` on a fresh machine needs Python 3.11 or later with venv, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto

.DEFAULT_GOAL := help
.PHONY: help run test check vm device bench clean

help:
	@echo "make run     play the scenarios against the reference NPU Manager"
	@echo "make test    run all tests that this machine can run"
	@echo "make check   lint, types, and whether generated code is up to date"
	@echo "make format  format the code and regenerate generated/"
	@echo "make vm      boot a virtual machine with a real binder driver, and say how to reach it (root)"
	@echo "make device  boot a virtual Android device for adb, and say how to reach it (root)"
	@echo "make bench   measure, each figure against a peer measured in the same run"
	@echo "make clean   remove everything that was made"

$(VENV)/.installed: pyproject.toml
	@echo "Installing into $(VENV), once ..." >&2
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat -e '.[dev]'
	@touch $@

run: $(VENV)/.installed
	@$(BIN)/harness run

# Random examples by the thousand, where there is time for them: work for one core.
LONG := tests/harness/test_device_properties.py tests/reference_impl/buffers/test_properties.py

test: $(VENV)/.installed
	@# First what spreads over all cores; then what shares one virtual machine, which keeps a core busy, beside
	@# the long ones, which keep another.
	@status=0; said=$$(mktemp); \
	trap 'kill $$long 2>/dev/null; rm -f "$$said"' EXIT; trap 'exit 130' INT TERM; \
	$(BIN)/python -m pytest -n $(JOBS) -m "not vm" $(LONG:%=--ignore=%) || status=1; \
	$(BIN)/python -m pytest $(LONG) >"$$said" 2>&1 & long=$$!; \
	$(BIN)/python -m pytest -m vm || status=1; \
	wait $$long || status=1; \
	cat "$$said"; \
	exit $$status

check: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codegen generate --check

vm: $(VENV)/.installed
	@tests/vm/build-image.sh trixie >/dev/null
	@$(BIN)/python -m tests.vm trixie

device: $(VENV)/.installed
	@tests/vm/build-image.sh trixie >/dev/null
	@$(BIN)/python -m tests.vm device

.PHONY: format
format: $(VENV)/.installed
	$(BIN)/codegen generate
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed
	@for script in tests/bench/bench_*.py; do \
		module=$$(echo $${script%.py} | tr / .); \
		echo "== $$module"; $(BIN)/python -m $$module || exit 1; \
	done

clean:
	rm -rf $(VENV) build dist out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
