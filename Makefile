# The two commands of this project: make run, make test.

GO          ?= go
BIN         := bin/informerscope
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Arguments for the inspector: make run ARGS="pods,leases --pace 2/s".
ARGS ?=

# How long make fuzz gives to each fuzz target.
FUZZTIME ?= 20s

# How many random sequences of about 90 operations make soak gives to
# each glass: 60,000 are at least 5,000,000 operations.
SOAK ?= 60000

.PHONY: run build test lint bench fuzz soak e2e docs clean

run: build ## open the inspector on the built-in sandbox
	@$(BIN) --sandbox $(ARGS)

build: ## build bin/informerscope
	$(GO) build -o $(BIN) .

test: ## all tests, with the race detector; tmux is needed for the end-to-end ones
	$(GO) test -race -timeout 20m ./...

lint: ## gofmt, vet, staticcheck
	@out=$$(gofmt -l .); test -z "$$out" || { echo "not gofmt-ed:"; echo "$$out"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

bench: build ## speed and memory beside bare client-go, in the same run
	$(GO) run ./bench -bin $(BIN)
	$(GO) test -run '^$$' -bench . -benchmem ./engine/... ./journal/... ./ui/...

fuzz: ## every fuzz target of the repository, FUZZTIME each
	@set -e; for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		for target in $$($(GO) test -list '^Fuzz' $$dir | grep '^Fuzz' || echo broken); do \
			echo "== $$dir $$target $(FUZZTIME)"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$dir; \
		done; \
	done

soak: ## long random runs: each glass beside the bare client-go type, with the operations and divergences counted
	@set -e; for room in deltafifo indexer workqueue; do \
		GOGC=400 $(GO) test -timeout 2h -run 'TestGlassBehavesLikeBare|TestGlassEqualsBare' ./engine/$$room \
			-v -soak -rapid.checks=$(SOAK) -rapid.steps=100; \
	done

e2e: ## tests on a real kube-apiserver, and the sandbox beside it; the first time builds that, which takes ten minutes and more
	@cd e2e && $(GO) vet ./... && $(GO) run ./build
	@cd e2e && report=$$(mktemp) && { E2E_REPORT=$$report $(GO) test -count=1 -p 1 -timeout 20m ./...; code=$$?; cat $$report; rm $$report; exit $$code; }

docs: ## renew the generated parts of README.md and docs/
	$(GO) test ./cli -run TestDocs -update

clean:
	rm -rf bin
