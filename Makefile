# `make run` and `make test` are all one needs; both install or name what is missing.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Asked for when it is used: after `deps`, which installs the libraries that it looks for.
RELEASE = $(shell Scripts/release.sh)
# How long `make stress` repeats what it repeats: 1 takes some 20 minutes on two processors, and 4 compares ten thousand journals
# with what libsystemd reads.
STRESS ?= 1

.PHONY: run build test stress bench sanitize fuzz verify machine-test format lint docs check-docs check-api api check-sizes install uninstall deb dist \
	clean help deps test-deps

# The commit that `busctl-rx --version` names.
run build: export BUSCTL_RX_COMMIT = $(shell git describe --always --dirty --exclude '*' 2>/dev/null)

run: deps ## build, and show `busctl-rx tail` at work
	$(SWIFT) build $(RELEASE)
	Scripts/show.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/busctl-rx"

build: deps ## build the command line for release
	$(SWIFT) build $(RELEASE)

test: test-deps ## check behaviour: every test, each as long as it needs
	Scripts/test.sh

stress: test-deps ## what has a long form, in it: storms, residue, random models (STRESS=4 four times as long; .ci/run takes 0.1)
	-Scripts/fixtures.sh
	BUSCTL_RX_STRESS=$(STRESS) Scripts/test.sh

bench: ## measure, side by side with the floor and the alternatives
	Scripts/bench.sh

sanitize: test-deps ## run the tests under Thread, and under Address and Leak Sanitizer
	Scripts/sanitize.sh

fuzz: test-deps ## feed the filter and the readers of texts, of a tap's frames and of journals with random input, under Address Sanitizer (FILTER_FUZZ_SECONDS=120)
	Scripts/fuzz.sh

verify: ## check the models of locks, queues, jobs and leases in all interleavings, with Spin
	@Scripts/deps.sh --verify
	Scripts/verify.sh

machine-test: deb ## try the Debian package on a machine with systemd as its first process, under qemu (SUITE=trixie ONLY=compare FULL=1 FAULTS=1 PAGE=1); needs root
	@Scripts/deps.sh --machine
	case "$(ONLY)" in "" | *daemon*) for product in unitwatch systemd-probe; do $(SWIFT) build $$(Scripts/release.sh $$product); done ;; esac
	Scripts/machine/test.py $(or $(SUITE),bookworm) $(if $(ONLY),--only $(ONLY)) $(if $(FULL),--full) $(if $(FAULTS),--faults) \
		$(if $(PAGE),--page)

format: ## format the sources in place
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks Examples

lint: ## check formatting and the rules of the house
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks Examples
	Scripts/check-imports.sh

docs: deps ## build the documentation of all libraries into one site, .docs/
	Scripts/docs.sh

check-docs: ## open .docs in headless Chromium and find four pages by their links
	Scripts/check-docs.py

check-api: ## compare the public API, as `make docs` found it, with docs/API.txt, and look for declarations without a comment
	Scripts/api.py

api: docs ## write the public API to docs/API.txt, after a change that is meant
	Scripts/api.py --write

check-sizes: deps ## compare the sizes of programs with the table in "Choose a bridge" (a new table: Scripts/sizes.py --write)
	Scripts/sizes.py

install: build ## install the command line, its manual pages and completions (PREFIX=/usr/local, DESTDIR=)
	@Scripts/deps.sh --install
	Scripts/install.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/busctl-rx" "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what `make install` installed
	Scripts/install.sh --remove "$(DESTDIR)$(PREFIX)"

deb: build ## make a Debian package of the command line, in .build/deb
	@Scripts/deps.sh --deb
	Scripts/deb.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/busctl-rx"

dist: deb ## put together what a release consists of, in .build/dist: the program, the Debian package, checksums, what is in them, notes
	Scripts/dist.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/busctl-rx"

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' Makefile

clean: ## remove what was built
	rm -rf .build .docs Benchmarks/.build Examples/.build

deps:
	@Scripts/deps.sh

test-deps:
	@Scripts/deps.sh --test
