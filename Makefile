# The two commands of this project: make run, make test.

GO          ?= go
BIN         := bin/informerscope
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Arguments for the inspector: make run ARGS="pods,leases --pace 2/s".
ARGS ?=

.PHONY: run build test lint bench docs clean

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
	$(GO) test -run '^$$' -bench . -benchmem ./engine/... ./ui/...

docs: ## renew the generated parts of README.md and docs/
	$(GO) test ./cli -run TestDocs -update

clean:
	rm -rf bin
