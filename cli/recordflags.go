package cli

import (
	"github.com/spf13/pflag"
	quantity "k8s.io/apimachinery/pkg/api/resource"

	"informerscope/journal/recording"
)

// recordFlags say what goes to a recording.
type recordFlags struct {
	path      string
	maxSize   sizeValue
	noObjects bool
}

func (r *recordFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&r.path, "record", "", "write everything that happens to `FILE`, which must not exist; informerscope replay opens it (also key R)")
	fs.Var(&r.maxSize, "max-size", "of a recording on the disk, such as 100Mi; what is older than that is let go. 0 is any size")
	fs.BoolVar(&r.noObjects, "no-objects", false, "leave the objects out of a recording: keys, events and times only. With them Secret values, annotations that look like credentials, and last-applied configurations are masked, unless --unmask is given")
}

func (o *Options) validateRecording() error {
	if !o.headless() || o.recording.path != "" {
		return nil
	}
	for _, name := range []string{"max-size", "no-objects"} {
		if o.changed[name] {
			return usagef("--%s needs --record FILE", name)
		}
	}
	return nil
}

// sizeValue is a number of bytes, as Kubernetes writes quantities: 500k, 100Mi.
type sizeValue int64

var _ pflag.Value = (*sizeValue)(nil)

// String is the value as Set takes it.
func (s *sizeValue) String() string {
	return quantity.NewQuantity(int64(*s), quantity.BinarySI).String()
}

// Type names the value in usage texts.
func (*sizeValue) Type() string { return "SIZE" }

// Set parses the value.
func (s *sizeValue) Set(text string) error {
	q, err := quantity.ParseQuantity(text)
	if n := q.Value(); err == nil && (n == 0 || n >= recording.MinSize) {
		*s = sizeValue(n)
		return nil
	}
	return accepted("a size such as 100Mi or 2G, not under 1Mi, or 0")
}
