# make quick     run the unit tests and rule cases of engine, agents and hands, within a minute of an edit
# make test      build everything and run every test once
# make test-all  the same with the full sizes of the long checks, before a release
# make torch     install libtorch in a cache that checkouts share, for the feature `torch`
# make python    build the wheel of the Python package with the program, and test it in environments of its own
# make browser   open pages of games in the Chromium of the system, and play at tables there; `make test` runs
#                a short version, or says that there is no Chromium
# make site      build the site from the pages of the project, in target/site
# make lint      check formatting, clippy, documentation and the planted bugs
# make deny      check the licences and sources of all dependencies
# make bench     time the engine and whole games, print the behaviour signature, and count instructions:
#                it fails if a count rose by 2 %, and WRITE=1 writes the new counts
# make peers     time the engine and published packages on the same hands
# make fuzz      run each fuzz target for FUZZ_SECONDS
# make fuzz-planted    check that each fuzz target finds a planted bug
# make storm     play N histories of runs that meet accidents, from number FIRST on
# make storm-planted   check that the storm finds each planted bug of runs
# make coverage  check that the rule cases reach every line of the rules that has no reason to be left out
# make mutants   check that a test of the engine fails for each mutant of a rule and each planted bug

# The reference data. Tests that need it are ignored without it, and fail without it if
# JANTAKU_REQUIRE_DATA is 1.
JANTAKU_DATA ?= $(wildcard $(CURDIR)/../shared/data)
ifneq ($(JANTAKU_DATA),)
export JANTAKU_DATA
endif
HAS_DATA := $(JANTAKU_DATA)$(filter 1,$(JANTAKU_REQUIRE_DATA))

# Runs the tests of some packages. cargo-nextest runs those of all binaries side by side; without it,
# cargo runs one binary after the other. Some tests wait for other programs, so six run at once.
ifneq ($(shell command -v cargo-nextest),)
run_tests = cargo nextest run --locked --status-level fail --test-threads 6 --no-fail-fast $(if $(HAS_DATA),--run-ignored all) $(1)
else
run_tests = cargo test --locked $(1) $(if $(HAS_DATA),-- --include-ignored)
endif

# With the features of dependencies that all builds share, cargo compiles these once.
FEATURES := --package jantaku-features
RULES_AND_AGENTS := $(FEATURES) --package jantaku-engine --package jantaku-agents --package jantaku-show --package jantaku-pages
SIM := $(FEATURES) --package jantaku-sim --package jantaku-measure --package jantaku-serve
# The test binaries of `sim` and the program: all but `torch`, which needs a feature.
SIM_TESTS := $(addprefix --test ,$(filter-out torch,$(sort $(notdir $(patsubst %/main.rs,%,\
	$(wildcard sim/tests/*/main.rs sim/*/tests/*/main.rs))))))

PYTHON ?= python3
FUZZ_SECONDS ?= 60
# Lives of runs with accidents, and the number of the first.
N ?= 100000
FIRST ?= 0
# Hands and games that are compared with other programs.
ORACLE_HANDS ?= 2000
PEER_GAMES ?= 20
VENV := .venv
# Two programs: without optional features, and with object stores.
PLAIN := $(CURDIR)/target/plain/jantaku
CLOUD := $(CURDIR)/target/cloud/jantaku
TOOLS := $(CURDIR)/target/tools
# The version of gungraun in Cargo.toml.
GUNGRAUN := 0.20.0
CARGO_MUTANTS := 27.1.0
CARGO_DENY := 0.20.2
AXE := 4.14.1
AGARI := 0.27.0
VALGRIND := $(shell command -v valgrind)

# Where torch is installed, once for all checkouts. The folder's name has the version in
# agents/tests/torch/requirements.txt.
JANTAKU_TORCH ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/jantaku/torch-2.11.0
# Empty where torch is not installed. Tests that need it are left out there.
HAS_TORCH = $(wildcard $(JANTAKU_TORCH))

# The virtual environments of the Python package: one builds the wheel, one has the wheel and numpy
# alone, one has what its tests use. `pip install ./python` writes a wheel to target/wheels, too.
WHEELS := $(CURDIR)/target/python/wheels
BUILD := target/python/build
CLEAN := target/python/clean
EXTRAS := target/python/extras
SITE := target/site
BROWSER := target/python/browser

# Installs packages in an environment: $(call install,FOLDER,PACKAGES). uv takes a sixth of pip's time. It
# does not read the configuration of pip, so pip installs what uv cannot.
UV := target/uv/bin/uv
install = { $(UV) pip install --quiet --native-tls --python $(1)/bin/python $(2) || \
	$(1)/bin/pip install --quiet --no-compile $(2); }

.PHONY: deny site test test-all library-tests program-tests rust-tests doc-tests quick optional program plain cloud page-commands readers browser browser-short torch python wheel wheel-installed python-tests ray-tests environments lint experiments bench peers storm storm-planted fuzz fuzz-planted coverage mutants

# One step of the tests. `target/steps` has its seconds, then those of processors as user and system.
step = +@start=$$(date +%s) && $(MAKE) $(1) && times > target/times && \
	echo "$$(($$(date +%s) - start)) s, $$(tail -n 1 target/times)  $(1)" | tee -a target/steps

test: $(VENV)/ready
	mkdir -p target && rm -f target/steps
	$(call step,plain)
	$(call step,--jobs=2 --output-sync=recurse library-tests program-tests JANTAKU_PROGRAM=$(PLAIN))
	@cat target/steps
ifeq ($(HAS_DATA),)
	@echo "tests that need reference data were ignored; set JANTAKU_DATA to its folder to run them"
endif
	$(if $(HAS_TORCH),,@echo "tests that need torch were left out; \`make torch\` installs it (4.6 GB)")

# What compiles, and what runs the program: side by side, because a compiler often keeps one core busy. BUILT leaves
# the copy of the program as it is: the other side builds the program with other features meanwhile.
library-tests:
	$(call step,rust-tests)
	$(call step,doc-tests)
	$(call step,wheel)
	$(call step,--jobs=4 --output-sync=target optional python-tests ray-tests page-commands BUILT=1)

program-tests:
	$(call step,readers BUILT=1)
	$(call step,browser-short BUILT=1)

test-all: export JANTAKU_TESTS := full
test-all: export ORACLE_HANDS := 90000
test-all: export PEER_GAMES := 100
test-all: test browser experiments site deny

# Bots of the tests start `python3` hundreds of times. That of an environment starts at once; another may be
# the script of a version manager.
rust-tests readers optional: export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

# The tests of the rules and the agents have overflow checks and assertions. The other tests run against
# the program of the release build. All share its dependencies. Lints compile the examples. The unit
# tests of `sim` run for a second, and would compile for longer than the library if they were optimised.
# `conform` asks the engine of an example.
rust-tests:
	$(call run_tests,--release --config .cargo/checked.toml $(RULES_AND_AGENTS) --lib --tests)
	$(call run_tests,--release $(SIM) --package jantaku --lib --config .cargo/unit.toml)
	cargo build --release --locked $(FEATURES) --package jantaku --example conforming
	$(call run_tests,--release $(SIM) --package jantaku --package jantaku-cloud $(SIM_TESTS))

doc-tests:
	cargo test --release --locked --doc

# Without the test binary `games` of the agents, which compiles and runs longer.
quick: export JANTAKU_TESTS := quick
quick:
	$(call run_tests,$(RULES_AND_AGENTS) --lib --test suite)

# The program with `torch` compiles for minutes and plays two runs, so only `make test-all` does so.
TORCH_PROGRAM := $(if $(filter full,$(JANTAKU_TESTS)),--package jantaku --features jantaku/torch)

# The tests of the features `cloud` and `torch`. The last line puts the program without them back.
optional: $(VENV)/ready cloud
ifneq ($(HAS_TORCH),)
	ln -sfn $(JANTAKU_TORCH) .torch
	$(call run_tests,--release $(FEATURES) --package jantaku-agents $(TORCH_PROGRAM) --test torch \
		--features jantaku-agents/torch --config .cargo/optional.toml)
	cargo clippy --release --locked $(FEATURES) --package jantaku-agents --all-targets --features jantaku-agents/torch \
		--config .cargo/optional.toml -- -D warnings
endif
	$(VENV)/bin/python sim/tests/cloud.py $(CLOUD) $(PLAIN)
	$(VENV)/bin/python sim/tests/recipes.py $(CLOUD) python/docs/cluster.md
	cargo build --release --locked

# Builds the program without optional features, as README.md does.
program:
	cargo build --release --locked

# A copy of the program, because `optional` replaces it for a while.
plain: $(if $(BUILT),,program)
	$(if $(BUILT),,mkdir -p $(dir $(PLAIN)))
	$(if $(BUILT),,cmp -s target/release/jantaku $(PLAIN) || cp target/release/jantaku $(PLAIN))

# The program with object stores. Their crates are also those of the Python package, so only the program is
# compiled again. The last line puts the program without them back.
cloud: plain
	cargo build --release --locked --features jantaku/cloud
	mkdir -p $(dir $(CLOUD))
	cmp -s target/release/jantaku $(CLOUD) || cp target/release/jantaku $(CLOUD)
	cargo build --release --locked

# The commands of pages, and their blocks in Python with the package: BUILT takes the wheel that is there.
page-commands: $(VENV)/ready plain
	$(if $(BUILT),WHEEL=$(wildcard $(WHEELS)/*.whl)) $(VENV)/bin/python sim/tests/readers.py \
		$(PLAIN) sim/docs/dataset.md README.md sim/docs/commands.md $(patsubst %,docs/%.md,measure-rules rank-agents players)

# Other programs read what the program of the release build writes, and compare what it computes.
readers: $(VENV)/ready $(TOOLS)/agari-$(AGARI)/bin/agari plain
	$(VENV)/bin/python sim/tests/pages.py $(PLAIN) agents/docs/agents.md agents/docs/residual.md \
		$(patsubst %,sim/docs/%.md,formats league matches positions reports statistics view)
	$(VENV)/bin/python sim/tests/statistics.py $(PLAIN) sim/docs/dataset.md
	$(VENV)/bin/python sim/tests/rule_book.py $(PLAIN)
	$(VENV)/bin/python sim/tests/oracles.py $(PLAIN) --agari $(TOOLS)/agari-$(AGARI)/bin/agari --hands $(ORACLE_HANDS)
	$(VENV)/bin/python sim/tests/peer_games.py target/peer-games --games $(PEER_GAMES) --replay $(PLAIN)
	$(VENV)/bin/python sim/tests/mjai_peer.py $(PLAIN) target/mjai-peer --games 12

# Pages, tables and reports in Chromium, which the system provides: `apt-get install chromium`.
# Folders of `target` get the pages and pictures of them.
BROWSER_TESTS := browser browser_table browser_reports browser_serve browser_walk $(if $(JANTAKU_DATA),browser_records)
open_pages = $(BROWSER)/bin/python sim/tests/$(1).py $(PLAIN) target/pages/$(1) $(2)
browser: $(BROWSER_TESTS:%=whole-%)

$(BROWSER_TESTS:%=whole-%): whole-%: $(BROWSER)/ready plain
	$(call open_pages,$*)

# Fewer games. Pages wait for their browser, so several are tested at once.
CHROMIUM ?= $(firstword $(foreach name,chromium chromium-browser google-chrome google-chrome-stable,\
	$(shell command -v $(name))))
ifeq ($(CHROMIUM),)
browser-short:
	@echo "no Chromium, so pages were not opened in a browser; \`apt-get install chromium\` installs one"
else
browser-short: $(BROWSER_TESTS:%=short-%)
endif
GAMES :=
short-browser: GAMES := --games 1 --rules tenhou-sanma
short-browser_table: GAMES := --games 1
short-browser_reports: GAMES := --games 20
short-browser_records: GAMES := --games 4

$(BROWSER_TESTS:%=short-%): short-%: $(BROWSER)/ready plain
	$(call open_pages,$*,$(GAMES))

$(BROWSER)/ready: sim/tests/browser-requirements.txt | $(UV)
	$(PYTHON) -m venv --clear $(BROWSER)
	$(call install,$(BROWSER),--requirement $<)
	npm install --silent --no-save --prefix $(BROWSER) axe-core@$(AXE) || echo "no npm, so pages are tested without axe"
	touch $@

# Warnings, such as a page without a place in docs/contents.md, are errors.
site: $(SITE)/ready
	$(PYTHON) docs/links.py
	$(PYTHON) docs/correctness.py
	$(SITE)/environment/bin/sphinx-build --quiet --fail-on-warning --keep-going --jobs auto \
		--conf-dir docs --doctree-dir $(SITE)/cache . $(SITE)/html
	@echo "$(SITE)/html/index.html"

$(SITE)/ready: docs/requirements.txt | $(UV)
	$(PYTHON) -m venv --clear $(SITE)/environment
	$(call install,$(SITE)/environment,--requirement $<)
	touch $@

# `.torch/libtorch` is where .cargo/config.toml looks for libtorch.
torch: $(JANTAKU_TORCH)
	ln -sfn $(JANTAKU_TORCH) .torch

# The folder is renamed when it is complete, so another checkout never finds half of it.
$(JANTAKU_TORCH): | $(UV)
	mkdir -p $(dir $@)
	partial=$$(mktemp -d $@.XXXXXX) && trap "rm -rf $$partial" EXIT && \
		$(PYTHON) -m venv $$partial && \
		$(call install,$$partial,--requirement agents/tests/torch/requirements.txt) && \
		packages=$$($$partial/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') && \
		ln -s "$${packages#$$partial/}/torch" $$partial/libtorch && \
		chmod 755 $$partial && \
		{ test -e $@ || mv -T $$partial $@; }

python: wheel
	$(MAKE) python-tests ray-tests

wheel: $(BUILD)/ready
	rm -rf $(WHEELS)
	$(BUILD)/bin/python python/stubs.py
	$(BUILD)/bin/maturin build --release --locked --manifest-path python/Cargo.toml --out $(WHEELS)

wheel-installed: $(CLEAN)/ready $(EXTRAS)/ready
	$(CLEAN)/bin/pip install --quiet --no-deps --force-reinstall $(WHEELS)/*.whl
	$(EXTRAS)/bin/pip install --quiet --no-deps --force-reinstall $(WHEELS)/*.whl

# Threads of torch would wait for each other more than they compute: its tests train tiny networks. Some ask
# for more than one thread.
pytest = cd target/python && OMP_THREAD_LIMIT=1 extras/bin/pytest --config-file $(CURDIR)/python/pyproject.toml

python-tests: wheel-installed
	$(CLEAN)/bin/python python/tests/clean.py
	cd python && $(CURDIR)/$(EXTRAS)/bin/ruff check . && $(CURDIR)/$(EXTRAS)/bin/ruff format --check .
	$(if $(HAS_TORCH),cd python && $(CURDIR)/$(EXTRAS)/bin/mypy)
	$(pytest) $(CURDIR)/python/tests --ignore-glob='$(CURDIR)/python/tests/test_ray*.py'

# They wait for processes more than they compute, so they run beside the others. Workers and nodes die at random
# in `make test-all` only.
ray-tests: wheel-installed
	$(pytest) $(CURDIR)/python/tests/test_ray.py $(if $(filter full,$(JANTAKU_TESTS)),$(CURDIR)/python/tests/test_ray_kills.py)

# What `make test` installs before it builds.
environments: $(VENV)/ready $(TOOLS)/agari-$(AGARI)/bin/agari $(BUILD)/ready $(CLEAN)/ready $(EXTRAS)/ready

$(UV):
	$(PYTHON) -m venv target/uv
	target/uv/bin/pip install --quiet --no-compile uv==0.13.9

$(BUILD)/ready: python/requirements.txt | $(UV)
	$(PYTHON) -m venv --clear $(BUILD)
	$(call install,$(BUILD),--requirement $<)
	touch $@

$(CLEAN)/ready: python/tests/requirements.txt | $(UV)
	$(PYTHON) -m venv --clear $(CLEAN)
	$(call install,$(CLEAN),"$$(grep ^numpy $<)")
	touch $@

# torch is found where `make torch` installs it, before or after, behind everything of the environment itself.
# So no package installs a second one.
$(EXTRAS)/ready: python/tests/requirements.txt | $(UV)
	$(PYTHON) -m venv --clear $(EXTRAS)
	$(EXTRAS)/bin/python -c 'import sys, sysconfig; \
		packages = "{}/lib/python{}.{}/site-packages".format(sys.argv[1], *sys.version_info); \
		open(sysconfig.get_path("purelib") + "/torch.pth", "w").write(packages)' $(JANTAKU_TORCH)
	$(UV) pip install --quiet --native-tls --python $(EXTRAS)/bin/python --requirement $< \
		--override python/tests/no-torch.txt || \
		$(EXTRAS)/bin/pip install --quiet --no-compile --requirement $<
	touch $@

# A folder of its own, so lints compile while tests do. What needs torch is checked where its tests run.
lint: export CARGO_TARGET_DIR := $(CURDIR)/target/lint
lint:
	engine/fuzz/plant
	$(PYTHON) sim/measure/tests/storm/planted.py --check
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --features cloud -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --features cloud --lib --bins --examples

# Without optimization it compiles in a minute, and checks in two seconds.
deny: $(TOOLS)/cargo-deny-$(CARGO_DENY)/bin/cargo-deny
	$< --locked check licenses bans sources

$(TOOLS)/cargo-deny-$(CARGO_DENY)/bin/cargo-deny:
	CARGO_PROFILE_DEV_DEBUG=0 cargo install --debug --locked --version =$(CARGO_DENY) \
		--root $(TOOLS)/cargo-deny-$(CARGO_DENY) cargo-deny

# Lints check the examples of `agents` and `sim`. The peers are a workspace of their own with other versions
# of most packages, so only `make test-all` checks them.
experiments:
	cargo check --release --locked --manifest-path experiments/peers/Cargo.toml --target-dir target \
		--config 'profile.release.package."*".codegen-units=1'

bench: $(if $(VALGRIND),$(TOOLS)/gungraun-$(GUNGRAUN)/bin/gungraun-runner)
	cargo bench --package jantaku-benches --bench times --bench batches --locked
ifeq ($(VALGRIND),)
	@echo "valgrind is not installed: instruction counts are skipped"
else
	GUNGRAUN_RUNNER=$< cargo bench --package jantaku-benches --bench engine --bench agents --locked -- \
		--output-format=json > target/counts.jsonl
	$(PYTHON) sim/benches/counts.py target/counts.jsonl $(if $(WRITE),--write)
endif
	cargo run --release --locked -- bench

peers: $(VENV)/ready
	experiments/peers/run

storm:
	JANTAKU_HISTORIES=$(N) JANTAKU_FIRST_HISTORY=$(FIRST) cargo test --release --locked $(SIM) --package jantaku \
		--test storm every_history -- --nocapture

storm-planted:
	$(PYTHON) sim/measure/tests/storm/planted.py

fuzz:
	engine/fuzz/run $(FUZZ_SECONDS)

fuzz-planted:
	PLANTED=1 engine/fuzz/run 120

# The counters are read by the LLVM of the compiler: `rustup component add llvm-tools`, or a package of the system.
coverage:
	$(PYTHON) engine/tests/coverage/coverage.py

mutants: export PATH := $(TOOLS)/cargo-mutants-$(CARGO_MUTANTS)/bin:$(PATH)
mutants: $(TOOLS)/cargo-mutants-$(CARGO_MUTANTS)/bin/cargo-mutants
	$(PYTHON) engine/mutants/mutants.py --planted
	$(PYTHON) engine/mutants/mutants.py $(MUTANTS)

$(VENV)/ready: sim/tests/requirements.txt | $(UV)
	$(PYTHON) -m venv $(VENV)
	$(call install,$(VENV),--requirement $<)
	touch $@

# The tests compare hands with it. Optimised, it would compile for longer than it saves.
$(TOOLS)/agari-$(AGARI)/bin/agari:
	cargo install --debug --locked --version =$(AGARI) --root $(TOOLS)/agari-$(AGARI) agari

$(TOOLS)/gungraun-$(GUNGRAUN)/bin/gungraun-runner:
	cargo install --locked --version =$(GUNGRAUN) --root $(TOOLS)/gungraun-$(GUNGRAUN) gungraun-runner

$(TOOLS)/cargo-mutants-$(CARGO_MUTANTS)/bin/cargo-mutants:
	cargo install --locked --version =$(CARGO_MUTANTS) --root $(TOOLS)/cargo-mutants-$(CARGO_MUTANTS) cargo-mutants
