package findings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Rate is how often a minute.
type Rate int

// String is the form that Parse takes.
func (r Rate) String() string { return strconv.Itoa(int(r)) + "/m" }

// Often is so many times in so long.
type Often struct {
	N  int
	In time.Duration
}

// String is the form that Parse takes.
func (o Often) String() string {
	if o.In == time.Minute {
		return strconv.Itoa(o.N) + "/m"
	}
	return strconv.Itoa(o.N) + "/" + short(o.In)
}

// slot is the length of the parts in which a rate counts for o.
func (o Often) slot() int64 { return max(1, int64(o.In)/slots) }

// offValue is a threshold whose kind is not looked for.
const offValue = -1

// Thresholds say from when on something is a finding. Those with the name of a
// kind can be off. The zero value stands for the defaults.
type Thresholds struct {
	HotLoop           Rate          // reconciles of a key with the same spec: more than this
	HotLoopIdle       Rate          // of these, reconciles that read nothing new but metadata: more than this
	HotLoopWrites     int           // reconciles of a key that answer their own write, in a row
	StuckWorker       time.Duration // a key is in processing for so long
	Panics            int           // of one handler, key or index function, so many
	FailingReconciles int           // reconciles of a key, so many in a row
	FailingShare      int           // of a hundred reconciles of a minute: more than this
	RequeuesGrowing   int           // AddRateLimited of a key without Forget, so often
	QueueGrows        time.Duration // the ready keys of a workqueue grow for so long
	QueueSize         int           // and are so many then
	KeyWaits          time.Duration // a key is ready, and later ones are taken, for so long
	KeyOvertaken      int           // or later ones are taken so often, and none of its priority
	BacklogGrowing    time.Duration // a listener's backlog grows for so long
	BacklogSize       int           // and is so long then
	Blind             time.Duration // synced, and no watch for so long
	RelistStorm       Often         // relists of a resource: more than this
	ShortWatches      Often         // watches that end at once: more than this
	ShortWatchLength  time.Duration // and what "at once" is
	WatchCuts         int           // watches that end at the same age, in a row
	SilentWatch       time.Duration // neither event nor bookmark for so long
	NeverSynced       time.Duration // not synced so long after the start
	EarlyReads        int           // reconciles that found nothing before the sync
	StaleReads        int           // reads of a key behind its own write, so many
	CostlyLists       int           // MiB of a list
	CostlyListTime    time.Duration // or its time
	RVBackwards       int           // so often
	Tombstones        int           // so many
	ResyncFlood       Rate          // resync notifications of a listener: more than this
	MutatedObject     int           // so many changes in place
	UselessIndex      int           // an index with so many values, each of one key
	CacheDiffers      int           // so many keys that differ
	LeftSelection     int           // so many objects that left
}

// Threshold describes one.
type Threshold struct {
	Name    string
	Default string // as Parse takes it
	Help    string

	of func(*Thresholds) any // points to it
}

// thresholds is the table of all, with the defaults.
var thresholds = []Threshold{
	{"hot-loop", "100/m", "a key is reconciled more often than this while its spec stays the same", func(t *Thresholds) any { return &t.HotLoop }},
	{"hot-loop-idle", "25/m", "or than this, while it has nothing new but metadata", func(t *Thresholds) any { return &t.HotLoopIdle }},
	{"hot-loop-writes", "10", "or so many reconciles in a row each read what the one before has written, at any rate", func(t *Thresholds) any { return &t.HotLoopWrites }},
	{"stuck-worker", "30s", "a key is in processing for so long", func(t *Thresholds) any { return &t.StuckWorker }},
	{"panics", "1", "a handler, the reconcile of a key or an index function panicked so often", func(t *Thresholds) any { return &t.Panics }},
	{"failing-reconciles", "5", "a key fails so many times in a row", func(t *Thresholds) any { return &t.FailingReconciles }},
	{"failing-share", "20", "or more than so many of a hundred reconciles fail, of at least 20 within a minute", func(t *Thresholds) any { return &t.FailingShare }},
	{"requeues-growing", "10", "a key comes back by AddRateLimited so often without Forget", func(t *Thresholds) any { return &t.RequeuesGrowing }},
	{"queue-grows", "30s", "the keys that are ready in a workqueue grow in number for so long", func(t *Thresholds) any { return &t.QueueGrows }},
	{"queue-size", "50", "keys that a growing workqueue must have at least", func(t *Thresholds) any { return &t.QueueSize }},
	{"key-waits", "1m", "a key is ready for so long, and keys that came later were taken", func(t *Thresholds) any { return &t.KeyWaits }},
	{"key-overtaken", "100", "or so many that came later were taken, and none of its priority", func(t *Thresholds) any { return &t.KeyOvertaken }},
	{"backlog-growing", "15s", "the backlog of a listener grows for so long", func(t *Thresholds) any { return &t.BacklogGrowing }},
	{"backlog-size", "20", "notifications that a growing backlog must have at least", func(t *Thresholds) any { return &t.BacklogSize }},
	{"blind", "15s", "an informer that has synced has no watch for so long", func(t *Thresholds) any { return &t.Blind }},
	{"relist-storm", "5/10m", "a resource is listed again more often than this", func(t *Thresholds) any { return &t.RelistStorm }},
	{"short-watches", "5/10m", "watches close at once more often than this", func(t *Thresholds) any { return &t.ShortWatches }},
	{"short-watch-length", "1s", "a watch that was open for less has closed at once", func(t *Thresholds) any { return &t.ShortWatchLength }},
	{"watch-cuts", "4", "so many watches in a row end at the same age, before 5 minutes", func(t *Thresholds) any { return &t.WatchCuts }},
	{"silent-watch", "3m", "an open watch brings neither event nor bookmark for so long", func(t *Thresholds) any { return &t.SilentWatch }},
	{"never-synced", "30s", "an informer has not synced so long after it started", func(t *Thresholds) any { return &t.NeverSynced }},
	{"early-read", "1", "so many reconciles found nothing in a cache that had not synced", func(t *Thresholds) any { return &t.EarlyReads }},
	{"stale-read", "1", "so many reconciles of a key read it older than what they had written", func(t *Thresholds) any { return &t.StaleReads }},
	{"costly-list", "100", "a list brings so many MiB", func(t *Thresholds) any { return &t.CostlyLists }},
	{"costly-list-time", "30s", "or takes so long", func(t *Thresholds) any { return &t.CostlyListTime }},
	{"rv-backwards", "1", "the resourceVersion went backwards so often", func(t *Thresholds) any { return &t.RVBackwards }},
	{"tombstones", "1", "so many deletes came as DeletedFinalStateUnknown", func(t *Thresholds) any { return &t.Tombstones }},
	{"resync-flood", "600/m", "a listener gets more resyncs than this", func(t *Thresholds) any { return &t.ResyncFlood }},
	{"mutated-object", "1", "cached objects were changed in place so often", func(t *Thresholds) any { return &t.MutatedObject }},
	{"useless-index", "100", "an index has so many values, and each of them one key", func(t *Thresholds) any { return &t.UselessIndex }},
	{"left-selection", "1", "a check finds so many objects that were told as DELETED and only left the selector", func(t *Thresholds) any { return &t.LeftSelection }},
	{"cache-differs", "1", "a check finds so many keys that differ from the server", func(t *Thresholds) any { return &t.CacheDiffers }},
}

// AllThresholds lists them. The caller must not change it.
func AllThresholds() []Threshold { return thresholds }

// Default returns the defaults.
func Default() Thresholds {
	var t Thresholds
	for i := range thresholds {
		if err := thresholds[i].set(&t, thresholds[i].Default); err != nil {
			panic(err) // a fault of the table
		}
	}
	return t
}

// Off reports whether k is not looked for.
func (t Thresholds) Off(k Kind) bool {
	x := thresholdOf(string(k))
	return x != nil && x.get(&t) == off
}

// thresholdOf is the threshold of that name; nil when there is none.
func thresholdOf(name string) *Threshold {
	for i := range thresholds {
		if thresholds[i].Name == name {
			return &thresholds[i]
		}
	}
	return nil
}

const off = "off"

// Set changes one by its name. The error says what is allowed.
func (t *Thresholds) Set(name, value string) error {
	x := thresholdOf(name)
	if x == nil {
		names := make([]string, len(thresholds))
		for i := range thresholds {
			names[i] = thresholds[i].Name
		}
		return fmt.Errorf("there is no threshold %q: use one of %s", name, strings.Join(names, ", "))
	}
	return x.set(t, value)
}

// Parse changes one: "hot-loop=30/m", "stuck-worker=30s", "tombstones=off".
func (t *Thresholds) Parse(spec string) error {
	name, value, ok := strings.Cut(spec, "=")
	if !ok {
		return fmt.Errorf("%q is no threshold: use NAME=VALUE, such as %s=%s", spec, thresholds[0].Name, thresholds[0].Default)
	}
	return t.Set(strings.TrimSpace(name), strings.TrimSpace(value))
}

// ParseFile changes those that a YAML file names, a mapping of NAME: VALUE.
// Errors tell the line.
func (t *Thresholds) ParseFile(data []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("no YAML: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil
	}
	m := doc.Content[0]
	if m.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: a mapping of NAME: VALUE is needed, such as %s: %s", m.Line, thresholds[0].Name, thresholds[0].Default)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, value := m.Content[i], m.Content[i+1]
		if seen[name.Value] {
			return fmt.Errorf("line %d: %s is there twice", name.Line, name.Value)
		}
		seen[name.Value] = true
		if value.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: %s: one value is needed, such as %s", value.Line, name.Value, thresholds[0].Default)
		}
		v := value.Value
		if value.Tag == "!!bool" && v != "true" && v != "yes" && v != "on" {
			v = off // YAML 1.1 readers take off for false
		}
		if err := t.Set(name.Value, v); err != nil {
			return fmt.Errorf("line %d: %w", name.Line, err)
		}
	}
	return nil
}

// Each calls f with the name and the value of each.
func (t Thresholds) Each(f func(name, value string)) {
	for i := range thresholds {
		f(thresholds[i].Name, thresholds[i].get(&t))
	}
}

// MarshalText is the form of Parse, all of them with spaces between.
func (t Thresholds) MarshalText() ([]byte, error) {
	var parts []string
	t.Each(func(name, value string) { parts = append(parts, name+"="+value) })
	return []byte(strings.Join(parts, " ")), nil
}

// UnmarshalText takes what MarshalText makes. What is not named is the default;
// names that are not known are left out: they are of a newer program.
func (t *Thresholds) UnmarshalText(data []byte) error {
	*t = Default()
	for _, spec := range strings.Fields(string(data)) {
		if name, _, _ := strings.Cut(spec, "="); thresholdOf(name) == nil {
			continue
		}
		if err := t.Parse(spec); err != nil {
			return err
		}
	}
	return nil
}

func (x *Threshold) get(t *Thresholds) string {
	switch p := x.of(t).(type) {
	case *Rate:
		if *p != offValue {
			return p.String()
		}
	case *time.Duration:
		if *p != offValue {
			return short(*p)
		}
	case *Often:
		if p.N != offValue {
			return p.String()
		}
	case *int:
		if *p != offValue {
			return strconv.Itoa(*p)
		}
	}
	return off
}

// short is a duration without the parts that are zero: 2m, not 2m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func (x *Threshold) set(t *Thresholds, value string) error {
	_, isKind := infoOf[Kind(x.Name)]
	if value == off && isKind {
		switch p := x.of(t).(type) {
		case *Rate:
			*p = offValue
		case *time.Duration:
			*p = offValue
		case *Often:
			p.N = offValue
		case *int:
			*p = offValue
		}
		return nil
	}
	form, ok := "", false
	switch p := x.of(t).(type) {
	case *Rate:
		form = "a rate of at least 1/m such as 30/m or 2/s"
		*p, ok = parseRate(value, *p)
	case *Often:
		form = "a rate such as 5/10m, 30/m or 2/s"
		*p, ok = parseOften(value, *p)
	case *time.Duration:
		form = "a duration such as 500ms, 30s or 2m"
		d, err := time.ParseDuration(value)
		if ok = err == nil && d > 0; ok {
			*p = d
		}
	case *int:
		form = "a whole number of at least 1"
		n, err := strconv.Atoi(value)
		if ok = err == nil && n >= 1; ok {
			*p = n
		}
	}
	if ok {
		return nil
	}
	if isKind {
		form += ", or off"
	}
	return fmt.Errorf("threshold %s: %q is not accepted: use %s", x.Name, value, form)
}

// parseOften reads 5/10m, 30/m, 2/s or 6/h; otherwise it stays.
func parseOften(value string, old Often) (Often, bool) {
	number, in, _ := strings.Cut(value, "/")
	n, err := strconv.Atoi(number)
	if in != "" && strings.Trim(in, "smh") == "" {
		in = "1" + in
	}
	d, wrong := time.ParseDuration(in)
	if err != nil || wrong != nil || n < 1 || n > 1e9 || d < time.Second || d > 24*time.Hour {
		return old, false
	}
	return Often{n, d}, true
}

// parseRate reads 30/m, 2/s or 600/h; otherwise the rate stays.
func parseRate(value string, old Rate) (Rate, bool) {
	number, unit, _ := strings.Cut(value, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 1e9 {
		return old, false
	}
	switch unit {
	case "s":
		n *= 60
	case "m":
	case "h":
		n /= 60
	default:
		return old, false
	}
	return Rate(n), n >= 1
}
