# make test    everything that can be checked, with what it needs
# make lint    formatting, clippy and documentation, warnings denied
# make bench   times and instruction counts of the engine, speed of whole games, and the behaviour signature
# make peers   the engine beside published ones, on the same hands in the same run
# make fuzz    each fuzz target for FUZZ_SECONDS; make fuzz-planted shows that each finds a bug that is put there

# Reference data for comparison; tests that need it skip without it.
JANTAKU_DATA ?= $(wildcard $(CURDIR)/../shared/data)
ifneq ($(JANTAKU_DATA),)
export JANTAKU_DATA
endif

PYTHON ?= python3
FUZZ_SECONDS ?= 60
VENV := .venv
TOOLS := $(CURDIR)/target/tools
# That of the library in Cargo.toml.
GUNGRAUN := 0.20.0
VALGRIND := $(shell command -v valgrind)

.PHONY: test lint bench peers fuzz fuzz-planted

test: $(VENV)/ready
	cargo build --release --locked --features jantaku-sim/cloud
	mkdir -p target/cloud && cp target/release/jantaku target/cloud/
	cargo build --release --locked
	cargo test --workspace --locked
	$(VENV)/bin/python sim/tests/readers.py target/release/jantaku README.md
	$(VENV)/bin/python sim/tests/statistics.py target/release/jantaku sim/docs/dataset.md
	$(VENV)/bin/python sim/tests/cloud.py target/cloud/jantaku
	$(VENV)/bin/python sim/tests/oracles.py target/release/jantaku
	$(VENV)/bin/python sim/tests/peer_games.py target/peer-games --games 100 --replay target/release/jantaku

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy --workspace --all-targets --locked --features jantaku-sim/cloud -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

bench: $(if $(VALGRIND),$(TOOLS)/gungraun-$(GUNGRAUN)/bin/gungraun-runner)
	cargo bench --package jantaku-engine --bench times --locked
ifeq ($(VALGRIND),)
	@echo "valgrind is not installed: instructions are not counted"
else
	GUNGRAUN_RUNNER=$< cargo bench --package jantaku-engine --bench instructions --locked
endif
	cargo run --release --locked -- bench

peers: $(VENV)/ready
	experiments/peers/run

fuzz:
	engine/fuzz/run $(FUZZ_SECONDS)

fuzz-planted:
	PLANTED=1 engine/fuzz/run 120

$(VENV)/ready: sim/tests/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement sim/tests/requirements.txt
	touch $@

$(TOOLS)/gungraun-$(GUNGRAUN)/bin/gungraun-runner:
	cargo install --locked --version =$(GUNGRAUN) --root $(TOOLS)/gungraun-$(GUNGRAUN) gungraun-runner
