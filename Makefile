# Every target makes .venv first if it is missing.  Needed: Python 3.11 or newer, make, and a
# package index for the first run.  Another Python: `make test PYTHON=python3.13`.

PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python
PYTEST := $(RUN) -m pytest
COMPILE = build/lock/bin/uv pip compile --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-header --no-annotate --upgrade --quiet

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := test
.PHONY: demo pictures test lint format types fast optimised docs test-long bench lock clean

demo: .venv/ready  ## 10,000 invented name counts released, with a picture in build/demo
	$(RUN) examples/first_names.py

pictures: .venv/ready  ## the pictures of docs/mechanisms, drawn anew
	$(RUN) examples/pictures.py

test: lint types  ## everything a change must pass; the two long parts side by side
	@$(MAKE) --no-print-directory -j 2 fast optimised
	@$(MAKE) --no-print-directory docs

lint: .venv/ready
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

format: .venv/ready  ## repair what lint can repair by itself
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

types: .venv/ready
	$(RUN) -m mypy

fast: .venv/ready
	$(PYTEST) tests --ignore=tests/docs

# pytest rewrites the asserts of tests into ifs, so under -O they still judge, and those of src are
# gone.  tests/arch/test_optimised.py shows both.
optimised: .venv/ready
	@mkdir -p build
	@$(RUN) -O -m pytest tests --ignore=tests/docs --ignore=tests/install > build/optimised.txt 2>&1; \
	status=$$?; if [ $$status -eq 0 ]; then echo "under -O: $$(tail -n 1 build/optimised.txt)"; \
	else cat build/optimised.txt; fi; exit $$status

docs: .venv/ready  ## every line of code in prose, every cure, every doctest
	$(PYTEST) tests/docs src --doctest-modules

test-long: .venv/ready
	$(PYTEST) tests -m long

bench: .venv/ready  ## noise, choices and errors against peers; fails if one aim is missed
	$(RUN) -m bench all

lock: build/lock/ready  ## remake requirements/*.txt from pyproject.toml
	$(COMPILE) pyproject.toml -o requirements/core.txt
	$(COMPILE) pyproject.toml --extra plot --group dev -o requirements/dev.txt
	$(COMPILE) --group lock -o requirements/lock.txt

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests bench examples -name __pycache__ -prune -exec rm -rf {} +

.venv/ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Discreet needs Python 3.11 or newer; try: make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(RUN) -m pip install --quiet --require-hashes -r requirements/dev.txt
	$(RUN) -m pip install --quiet --no-build-isolation --no-deps --editable .
	@touch $@

build/lock/ready: requirements/lock.txt
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --require-hashes -r requirements/lock.txt
	@touch $@
