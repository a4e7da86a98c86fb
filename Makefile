# make test    everything that can be checked, with what it needs
# make lint    formatting, clippy and documentation, warnings denied
# make bench   speed of the program, and its behaviour signature
# make fuzz    each fuzz target for FUZZ_SECONDS; make fuzz-planted shows that each finds a bug that is put there

# Reference data for comparison; tests that need it skip without it.
JANTAKU_DATA ?= $(wildcard $(CURDIR)/../shared/data)
ifneq ($(JANTAKU_DATA),)
export JANTAKU_DATA
endif

PYTHON ?= python3
FUZZ_SECONDS ?= 60
VENV := .venv

.PHONY: test lint bench fuzz fuzz-planted

test: $(VENV)/ready
	cargo build --release --locked
	cargo test --workspace --locked
	$(VENV)/bin/python sim/tests/readers.py target/release/jantaku README.md
	$(VENV)/bin/python sim/tests/oracles.py target/release/jantaku
	$(VENV)/bin/python sim/tests/peer_games.py target/peer-games --games 100 --replay target/release/jantaku

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

bench:
	cargo run --release --locked -- bench

fuzz:
	engine/fuzz/run $(FUZZ_SECONDS)

fuzz-planted:
	PLANTED=1 engine/fuzz/run 120

$(VENV)/ready: sim/tests/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement sim/tests/requirements.txt
	touch $@
