// Command up runs a kube-apiserver with its etcd until it is interrupted, to try something by hand.
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
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	c, err := cluster.Start(ctx, os.Stderr)
	if err != nil {
		return err
	}
	fmt.Printf("export KUBECONFIG=%s    # all rights\nexport KUBECONFIG=%s   # no rights until you grant some\naudit log: %s\n",
		c.Kubeconfig(cluster.Admin), c.Kubeconfig(cluster.Reader), c.AuditLog())
	<-ctx.Done()
	return c.Stop()
}
