package cli

import (
	"context"

	"informerscope/engine"
	"informerscope/engine/object"
)

// screenOptions stands in for ui.Options until the ui is there.
type screenOptions struct {
	Source, Scope, Note string
	Object              object.Options
}

func runScreen(context.Context, *engine.Session, screenOptions) error {
	return failf(nil, "the screen is not built yet").hint("use -o json or --events")
}
