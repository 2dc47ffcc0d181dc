# Two commands: `make demo` audits a real model without a key, `make test` checks everything.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := src tests docs benchmarks conftest.py

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help assets demo test calibrate format docs bench clean

help:
	@echo "make demo   audit the local model with gender_occupation; writes reports/demo.{html,md,json}"
	@echo "make calibrate   simulate fair and unfair models: false alarms, coverage (about half an hour)"
	@echo "make test   formatting, lint, types, import contracts, tests, docs"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[local,embeddings]'
	touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.demo
	$(BIN)/python -m pip install --quiet 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group test --group docs
	touch $@

assets: $(VENV)/.demo
	$(BIN)/evenhand models pull

demo: assets
	mkdir -p reports
	$(BIN)/evenhand run gender_occupation --model local/smollm2-135m --replicates 5 --max-tokens 50 \
		--html reports/demo.html --md reports/demo.md --json reports/demo.json

test: $(VENV)/.test assets
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 3 --dist loadfile

calibrate: $(VENV)/.test assets
	EVENHAND_CALIBRATION=build/calibration OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
		$(BIN)/python -m pytest -n 2 -m calibration tests

format: $(VENV)/.test
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

docs: $(VENV)/.test
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir build/site

bench: $(VENV)/.test assets
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist reports
