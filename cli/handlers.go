package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"informerscope/engine"
)

// handlersValue collects the specs of --handler.
type handlersValue struct {
	specs  []string
	parsed []engine.HandlerSpec
}

var _ pflag.Value = (*handlersValue)(nil)

// String is the values as the usage shows them.
func (h *handlersValue) String() string { return strings.Join(h.specs, " ") }

// Type names the value in usage texts.
func (h *handlersValue) Type() string { return "NAME[,delay=DURATION][,resync=DURATION]" }

// Set adds one handler.
func (h *handlersValue) Set(s string) error {
	spec, err := engine.ParseHandler(s)
	if err != nil {
		return err
	}
	for _, p := range h.parsed {
		if p.Name == spec.Name {
			return fmt.Errorf("handler %s is named twice", spec.Name)
		}
	}
	h.specs, h.parsed = append(h.specs, s), append(h.parsed, spec)
	return nil
}
