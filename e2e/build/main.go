// Command build builds the servers that the end-to-end tests run against, unless they are in the cache, and prints where
// they are.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"informerscope/e2e/cluster"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b, err := cluster.Build(ctx, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("etcd            %s\nkube-apiserver  %s\nkubectl         %s\n", b.Etcd, b.APIServer, b.Kubectl)
}
