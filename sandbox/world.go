package sandbox

import "context"

type world struct {
	api
	options Options
}

func newWorld(a api, o Options) *world { return &world{api: a, options: o} }

func (w *world) populate() error {
	for _, ns := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
		if _, err := w.create(namespaces, "", map[string]any{"metadata": map[string]any{"name": ns}}, false); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) run(ctx context.Context) { <-ctx.Done() }
