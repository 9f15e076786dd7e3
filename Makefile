# Every task of this repository. `make` lists the targets.

PREFIX ?= /usr/local
$(if $(filter-out /%,$(PREFIX)),$(error PREFIX is an absolute path, not $(PREFIX)))
bindir ?= $(PREFIX)/bin
docdir ?= $(PREFIX)/share/doc/jokesd
licensedir ?= $(PREFIX)/share/licenses/jokesd
mandir ?= $(PREFIX)/share/man
ifeq (,$(if $(HOME),$(filter $(HOME)/%,$(PREFIX))))
unitdir ?= $(PREFIX)/lib/systemd
systemunitdir ?= $(unitdir)/system
userunitdir ?= $(unitdir)/user
sysusersdir ?= $(PREFIX)/lib/sysusers.d
else
# Below the home folder, only a user daemon can be installed. Its units are in a folder that the systemd of a user reads.
data_home := $(or $(XDG_DATA_HOME),$(HOME)/.local/share)
config_home := $(or $(XDG_CONFIG_HOME),$(HOME)/.config)
userunitdir ?= $(if $(filter $(data_home),$(PREFIX)/share),$(data_home),$(config_home))/systemd/user
endif
varlinkdir ?= $(PREFIX)/share/varlink
bashcompletiondir ?= $(PREFIX)/share/bash-completion/completions
zshcompletiondir ?= $(PREFIX)/share/zsh/site-functions
fishcompletiondir ?= $(PREFIX)/share/fish/vendor_completions.d

# DESTDIR is the prefix of every installed path, for packages.
DESTDIR ?=
INSTALL ?= install
# With STRIPPED=no, the installed programs keep their symbols, for a package of debug symbols.
STRIPPED ?= yes
# The program that reloads the daemon, in the units.
KILL ?= /bin/kill

SWIFT ?= swift
# The compiler keeps caches in the home folder, which need not be writable where packages are made.
ifeq (,$(shell test -w "$$HOME" && echo yes))
export HOME := $(CURDIR)/.build/home
$(shell mkdir -p .build/home)
endif
# The flags of the C compiler and of the linker, and further options of swift build, such as --jobs 4.
CFLAGS ?=
LDFLAGS ?=
SWIFTFLAGS ?=
build_flags = $(addprefix -Xcc ,$(CFLAGS)) $(foreach flag,$(LDFLAGS),-Xswiftc -Xclang-linker -Xswiftc $(flag)) $(SWIFTFLAGS)
release := .build/release
# Installed programs contain the Swift runtime, have no run path to local libraries, and resolve all symbols at start,
# so that their table of functions is read-only.
# The linker of the toolchain makes the same programs on every system. GNU ld leaves out RELRO. Constants beside the code are
# one segment less, which saves 0.1 ms at each start of jokesctl.
release_flags := --configuration release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
	-Xlinker --no-rosegment -Xlinker -z -Xlinker now $(build_flags)
# jokesctl is a static executable if there is a static C library (docs/decisions/0015). yes requires one.
STATIC ?=
$(if $(filter-out yes no,$(STATIC)),$(error STATIC is yes or no))
export STATIC
build_jokesctl = JOKESD_STATIC=$(or $(STATIC),$(shell scripts/install-dependencies static)) \
	$(SWIFT) build $(release_flags) --product jokesctl
# The version of the programs; make version writes it to the other files that have it.
version := $(shell sed -n 's/.*jokesdVersion = "\(.*\)"/\1/p' Sources/JokesCore/Version.swift)
# Tests are built with whole-module optimization and without debug information: a quarter faster than the default. They
# have their own build folder, so that `swift build` and `swift test` do not build everything again.
test_flags := --scratch-path .build/make -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -gnone $(build_flags)
run_tests = SWIFT_FLAGS='$(test_flags)' scripts/run-tests $(if $(ONLY),--only '$(ONLY)') $(ARGS)
built := $(release)/jokesd $(release)/jokesctl $(release)/jokes-tui
swift_sources := Package.swift Sources Tests Examples $(wildcard Benchmarks)
python_scripts := scripts/check-words scripts/generate-manual scripts/run-tests
shell_scripts := .ci/run $(filter-out $(python_scripts) %.txt,$(wildcard scripts/*)) Tests/Viewer/drive Tests/Viewer/pictures $(wildcard Tests/Viewer/*.bash debian/jokesd.p*) \
	Tests/Units/try $(wildcard Tests/Units/*.bash) Tests/ProgramTests/Fixtures/make
# The number of kills of make torture.
KILLS ?= 1000
KILLS_ON_FULL_DISK ?= 100
SEED ?=
# The folder for the screenshots of make look.
PICTURES ?= .build/pictures
# The package that make try-units tests; by default, the package from make deb.
PACKAGE ?= $(wildcard .build/deb/jokesd_*.deb)
# The Debian release of make try-distribution, and yes for its long form.
SUITE ?= trixie
ALL ?=
# A regular expression for the tests of make test and make test-slow; all if empty.
ONLY ?=

.PHONY: help deps build dist version deb run test test-slow test-all manual lint format bench bench-engine bench-ingest bench-load bench-prompt bench-socket bench-store bench-tui
.PHONY: fuzz sanitize look pictures torture try-units try-distribution docs install check-install uninstall clean
.DEFAULT_GOAL := help

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install the Debian packages for building, running and testing
	@scripts/install-dependencies build
	@scripts/install-dependencies run
	@scripts/install-dependencies test

build: ## Build the three programs for release, linked with the Swift runtime
	@scripts/install-dependencies build
	$(SWIFT) build $(release_flags) --product jokesd
	$(SWIFT) build $(release_flags) --product jokes-tui
	$(build_jokesctl)
	@echo 'Built. Next: sudo make install'

dist: ## Make the archive of the last commit for packagers, .build/dist/jokesd-VERSION.tar.gz
	@mkdir -p .build/dist
	git -c tar.umask=0022 archive --format=tar --prefix=jokesd-$(version)/ HEAD | gzip -9 --no-name >.build/dist/jokesd-$(version).tar.gz
	@git diff --quiet HEAD || echo 'make dist: changes that are not committed are left out' >&2

version: ## Write the version of Sources/JokesCore/Version.swift to the changelogs, manual pages and packages
	scripts/set-version

deb: ## Build the Debian package in .build/deb and check it with lintian
	@scripts/install-dependencies deb
	scripts/build-deb

run: ## Start a daemon with a private state folder and open the viewer
	@scripts/install-dependencies run
	$(SWIFT) build
	@scripts/run

test: ## Build and run the tests, with a tenth of the random cases (ONLY=JokesStoreTests; ARGS='--slowest 20')
	@scripts/install-dependencies test
	@scripts/prepare-varlink-venv
	@$(run_tests)

test-slow: ## Build and run the tests with all random cases, the slow tests, the examples and the articles (ONLY=…)
	@scripts/install-dependencies test
	@scripts/prepare-varlink-venv
	@SWIFT_FLAGS='$(test_flags)' scripts/check-articles
	@$(run_tests) --scale 100 --examples

test-all: test test-slow ## Run make test, then make test-slow

manual: ## Write the tables of the manual pages from the help of the programs and from the interface
	$(SWIFT) build
	scripts/generate-manual "$$($(SWIFT) build --show-bin-path)"

lint: ## Check format, words, imports, arrows between targets, documentation, scripts, units and manual pages
	@scripts/install-dependencies lint
	$(SWIFT) format lint --strict --recursive --parallel $(swift_sources)
	scripts/check-words
	scripts/check-arrows
	$(SWIFT) build $(test_flags) --build-tests --explicit-target-dependency-import-check error
	$(SWIFT) build --package-path Examples --scratch-path .build/examples --build-tests \
		--explicit-target-dependency-import-check error
	SWIFT_FLAGS='$(test_flags)' scripts/build-docs
	$(SWIFT) build --package-path Benchmarks --explicit-target-dependency-import-check error
	@if command -v shellcheck >/dev/null; then shellcheck --external-sources $(shell_scripts); else echo 'shellcheck is not installed: scripts not checked'; fi
	scripts/check-units
	scripts/check-pages
	scripts/set-version --check

format: ## Format all Swift sources in place
	$(SWIFT) format --in-place --recursive --parallel $(swift_sources)

bench: bench-engine bench-ingest bench-store bench-socket bench-load bench-prompt bench-tui ## Run all benchmarks

# Only the benchmark writes to standard output, because programs read the output of --json.
bench-engine: ## Measure the diffable engine (ARGS='--only a2,edits --json'; ARGS=--help for all)
	@scripts/install-dependencies build >&2
	@$(SWIFT) build --package-path Benchmarks --configuration release --product EngineBenchmark >&2
	@SWIFT_VERSION="$$($(SWIFT) --version 2>&1 | sed -n 's/.*\(Swift version [^ ]*\).*/\1/p')" \
		Benchmarks/.build/release/EngineBenchmark $(ARGS)

# This benchmark calls modules of the daemon, so it is in their package.
bench-ingest: ## Measure how fast 100,000 jokes are stored (ARGS='--json'; ARGS=--help for all)
	@scripts/install-dependencies build >&2
	@$(SWIFT) build $(release_flags) --product IngestBenchmark >&2
	@$(release)/IngestBenchmark $(ARGS)

bench-load: ## Measure new clients and stops while many clients load the daemon (ARGS='--only lists'; ARGS=--help for all)
	@scripts/install-dependencies build >&2
	@$(SWIFT) build $(release_flags) --product jokesd >&2
	@$(SWIFT) build $(release_flags) --product LoadBenchmark >&2
	@$(release)/LoadBenchmark --jokes 20000 $(ARGS)

bench-prompt: ## Measure jokesctl random from start to exit, beside fortune and mpc (ARGS='--runs 5000')
	@scripts/install-dependencies bench-prompt >&2
	@$(SWIFT) build $(release_flags) --product jokesd >&2
	@$(build_jokesctl) >&2
	@scripts/bench-prompt $(release)/jokesd $(release)/jokesctl $(ARGS)

bench-store: ## Measure the store with 100,000 jokes (ARGS='--only search --json'; ARGS=--help for all)
	@scripts/install-dependencies build >&2
	@$(SWIFT) build $(release_flags) --product jokesd >&2
	@$(SWIFT) build $(release_flags) --product StoreBenchmark >&2
	@$(release)/StoreBenchmark $(ARGS)

bench-socket: ## Measure the socket with 500 watchers (ARGS='--only call,rate --json'; ARGS=--help for all)
	@scripts/install-dependencies build >&2
	@$(SWIFT) build $(release_flags) --product jokesd >&2
	@$(SWIFT) build $(release_flags) --product SocketBenchmark >&2
	@$(release)/SocketBenchmark $(ARGS)

bench-tui: ## Measure the viewer with 20,000 jokes, beside less and newsboat (ARGS='--only key --json'; ARGS=--help for all)
	@scripts/install-dependencies bench-tui >&2
	@$(SWIFT) build $(release_flags) --product jokesd >&2
	@$(SWIFT) build $(release_flags) --product jokes-tui >&2
	@$(SWIFT) build $(release_flags) --product ViewerBenchmark >&2
	@$(release)/ViewerBenchmark --jokes 20000 $(ARGS)

fuzz: ## Fuzz the diffable engine, the socket and the readers of feeds, for a minute each (ARGS='frames -max_total_time=600')
	scripts/fuzz $(ARGS)

sanitize: ## Run the tests under the thread sanitizer, then the address sanitizer (SUITES='UnixTests VarlinkTests')
	@scripts/install-dependencies test
	@scripts/prepare-varlink-venv
	scripts/sanitize thread $(SUITES)
	scripts/sanitize address $(SUITES)

look: ## Drive the viewer and an exported page on a hidden display, and take screenshots (PICTURES=.build/pictures)
	@scripts/install-dependencies look
	$(SWIFT) build
	Tests/Viewer/drive "$$($(SWIFT) build --show-bin-path)" "$(PICTURES)"
	Tests/Viewer/drive-page "$$($(SWIFT) build --show-bin-path)" "$(PICTURES)"

pictures: ## Take the screenshots of the README
	@scripts/install-dependencies pictures
	$(SWIFT) build
	Tests/Viewer/pictures "$$($(SWIFT) build --show-bin-path)" docs/pictures

# State folders are in memory if possible: the tests inject the faults of the file system themselves.
torture: ## Test failing calls of SQLite and libcurl, damaged databases, a full disk and a killed daemon (KILLS=1000 SEED=1)
	@scripts/install-dependencies test
	TMPDIR=$(if $(wildcard /dev/shm),/dev/shm,/tmp) SWIFT_FLAGS='$(test_flags)' scripts/run-tests --scale 1000 \
		--only 'FaultTests|PowerLossTests|DamageTests|RecoveryTests|TornConnectionTests|JokesStoreTests.ModelTests'
	$(SWIFT) build $(release_flags) --product Torture
	scripts/torture-full-disk $(release)/Torture $(KILLS_ON_FULL_DISK) $(SEED)
	$(release)/Torture $(KILLS) $(SEED)

try-units: ## Test the Debian package in a container with systemd, as root (PACKAGE=jokesd.deb)
	@scripts/install-dependencies try-units
	$(if $(filter 0,$(shell id -u)),,sudo )Tests/Units/try $(PACKAGE)

try-distribution: ## Follow the README on another Debian, as root (SUITE=trixie; ALL=yes adds make lint and make test-slow)
	@scripts/install-dependencies try-distribution
	$(if $(filter 0,$(shell id -u)),,sudo --preserve-env=PATH )scripts/try-distribution '$(SUITE)' $(if $(filter yes,$(ALL)),all)

docs: ## Build the documentation of the libraries in .build/docs
	@scripts/install-dependencies docs
	$(SWIFT) build --target DiffableOutlines
	$(SWIFT) build --target Varlink
	scripts/build-docs

# Builds only missing programs, so that root needs no Swift for `make build && sudo make install`.
$(built):
	$(MAKE) build

places = DESTDIR='$(DESTDIR)' INSTALL='$(INSTALL)' STRIPPED='$(STRIPPED)' KILL='$(KILL)' \
	bindir='$(bindir)' docdir='$(docdir)' licensedir='$(licensedir)' mandir='$(mandir)' \
	systemunitdir='$(systemunitdir)' userunitdir='$(userunitdir)' sysusersdir='$(sysusersdir)' varlinkdir='$(varlinkdir)' \
	bashcompletiondir='$(bashcompletiondir)' zshcompletiondir='$(zshcompletiondir)' fishcompletiondir='$(fishcompletiondir)'

install: $(built) ## Install the programs (PREFIX=/usr/local DESTDIR=)
	@$(places) scripts/install put $(built)

check-install: ## Check the installed files, and run the installed programs without a network (same PREFIX and DESTDIR)
	@$(places) scripts/install check $(version)

uninstall: ## Remove the installed files (same PREFIX and DESTDIR)
	@$(places) scripts/install remove

clean: ## Remove all build results and the state of make run
	rm -rf .build Benchmarks/.build
