# The two commands of this project: make run, make test.

GO          ?= go
BIN         := bin/informerscope
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Arguments for the inspector: make run ARGS="pods,leases --pace 2/s".
ARGS ?=

# How many inputs make fuzz gives to each fuzz target. A time works too, but go test
# before 1.27 fails now and then when it is over (golang/go#75804).
FUZZTIME ?= 60000x

# How many random sequences of about 90 operations make soak gives to
# each glass: 60,000 are at least 5,000,000 operations.
SOAK ?= 60000

.PHONY: run build test lint bench fuzz random soak hostile e2e docs findings clean

run: build ## open the inspector on the built-in sandbox
	@$(BIN) --sandbox $(ARGS)

build: ## build bin/informerscope
	$(GO) build -o $(BIN) .

# Four packages at a time, as many of their tests wait in real time for one thing or
# another. Without go test's own vet: make lint does all of it, and here it would look at
# each dependency once more, a tenth of the time on a new machine.
test: ## all tests, with the race detector; tmux is needed for the end-to-end ones
	$(GO) test -race -vet=off -p 4 -timeout 20m ./...

lint: ## gofmt, vet, staticcheck
	@out=$$(gofmt -l .); test -z "$$out" || { echo "not gofmt-ed:"; echo "$$out"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

bench: build ## speed and memory beside bare client-go, in the same run
	$(GO) run ./bench -bin $(BIN)
	$(GO) test -run '^$$' -bench . -benchmem ./engine/... ./journal/... ./ui/...

# Each package of targets is built once. Only the packages of this module are
# instrumented for the fuzzer: it is their branches that it is to find, and the
# dependencies are those of make build, which go test -fuzz would build anew.
fuzz: ## every fuzz target of the repository, FUZZTIME inputs each
	@set -e; mkdir -p bin; for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		$(GO) test -c -gcflags='informerscope/...=-d=libfuzzer' -o bin/fuzz.test $$dir; \
		targets=$$(bin/fuzz.test -test.list '^Fuzz'); test -n "$$targets"; \
		for target in $$targets; do \
			echo "== $$dir $$target $(FUZZTIME)"; \
			( cd $$dir && $(CURDIR)/bin/fuzz.test -test.run '^$$' -test.fuzz "^$$target\$$" -test.fuzztime $(FUZZTIME) \
				-test.timeout 10m -test.fuzzminimizetime 20x -test.fuzzcachedir $$($(GO) env GOCACHE)/fuzz/informerscope/$$dir ); \
		done; \
	done

# The race detector makes these tests many times as slow: with it, make test
# takes a twelfth of the sequences, each seventh byte and each third width.
random: ## random sequences of the glasses, damage to each byte of a recording and each width of the screen, at length and without the race detector
	$(GO) test -vet=off -count=1 -timeout 20m -rapid.checks=1000 ./engine/deltafifo ./engine/indexer ./engine/workqueue
	$(GO) test -vet=off -count=1 -timeout 20m -run 'Damage|ACutAtAnyByte|TestStateIsTheSame|TestAReplayIs|TestEveryLineHas' ./journal/... ./ui

soak: ## long random runs: each glass beside the bare client-go type, with the operations and divergences counted
	@set -e; for room in deltafifo indexer workqueue; do \
		GOGC=400 $(GO) test -timeout 2h -run 'TestGlassBehavesLikeBare|TestGlassEqualsBare' ./engine/$$room \
			-v -soak -rapid.checks=$(SOAK) -rapid.steps=100; \
	done

hostile: ## attack the program as a server, a file or a client may, and renew docs/security.md
	$(GO) test -vet=off -count=1 -timeout 30m ./internal/testing/hostile -all -update

e2e: ## tests on a real kube-apiserver, and the sandbox beside it; the first time builds that, which takes ten minutes and more
	@cd e2e && $(GO) vet ./... && $(GO) run ./build
	@cd e2e && report=$$(mktemp) && { E2E_REPORT=$$report $(GO) test -count=1 -p 1 -timeout 20m ./...; code=$$?; cat $$report; rm $$report; exit $$code; }

findings: ## play the scenarios of each kind of finding, and write precision, recall and the time to detect to docs/findings.md
	$(GO) test -count=1 ./internal/testing/found -run TestMeasured -measure -update

docs: ## renew the generated parts of README.md and docs/
	$(GO) test ./cli ./scenario -run TestDocs -update

clean:
	rm -rf bin
