//go:build !unix

package cli

import (
	"context"
	"io"
)

// untilClosed leaves it to the next write to notice a closed pipe.
func untilClosed(ctx context.Context, _ io.Writer) (context.Context, func()) {
	return context.WithCancel(ctx)
}
