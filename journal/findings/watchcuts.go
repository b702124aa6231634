package findings

import (
	"fmt"
	"strings"
	"time"

	"informerscope/journal"
)

// watchCuts looks for watches that end at the same age, well before the 5 to 10
// minutes that client-go asks for: something between ends them.
type watchCuts struct {
	lasts
	Resources byName[cuts] `json:"resources"`
}

// cuts are the newest watches of one resource.
type cuts struct {
	N      int    `json:"n,omitempty"`   // ended at the same age in a row
	Age    int64  `json:"age,omitempty"` // that age, in ns: of the first of them
	Events int64  `json:"events,omitempty"`
	Error  bool   `json:"error,omitempty"` // an ERROR event has ended this one
	Since  int64  `json:"since,omitempty"` // when this one began, on the wire's time; 0 when none is open
	Stream string `json:"stream,omitempty"`
	Client int64  `json:"client,omitempty"` // the client's own timeout of its requests, in ns
	Told   bool   `json:"told,omitempty"`
}

// longWatch is an age at which the server or client-go itself may end a watch.
const longWatch = 290 * time.Second

func newWatchCuts() detector { return &watchCuts{} }

func (*watchCuts) wants() []journal.Kind {
	return []journal.Kind{journal.KindWireRequest, journal.KindWatchStarted, journal.KindWatchError, journal.KindWatchEnded, journal.KindWireStreamEnd, journal.KindReflectorStopped}
}

func (d *watchCuts) apply(f *fold, e *journal.Event) {
	c := d.Resources.of(e.Resource)
	switch e.Kind {
	case journal.KindWireRequest:
		c.Client = int64(ownTimeout(e.WireRequest().Query))
	case journal.KindWatchStarted:
		c.Error, c.Since = false, f.wire
		if c.Told {
			f.soonerWire(2 * c.Age)
		}
	case journal.KindWatchError:
		c.Error = true
	case journal.KindWireStreamEnd:
		if x := e.WireStreamEnd(); x.Verb != journal.VerbList && x.Error != "" {
			c.Stream = x.Error
		}
	case journal.KindReflectorStopped:
		c.Since = 0
		d.over(f, e.Resource, c)
	case journal.KindWatchEnded:
		c.Since = 0
		d.ended(f, e, c)
	}
}

func (d *watchCuts) ended(f *fold, e *journal.Event, c *cuts) {
	age := int64(e.Dur)
	same := c.N > 0 && max(age-c.Age, c.Age-age) <= max(c.Age/20, int64(250*time.Millisecond))
	switch {
	case c.Error, e.Dur < f.thresholds.ShortWatchLength, e.Dur >= longWatch:
		d.over(f, e.Resource, c)
		c.N = 0
	case same:
		c.N++
		c.Events += e.WatchEnded().Events
	default:
		d.over(f, e.Resource, c)
		c.N, c.Age, c.Events = 1, age, e.WatchEnded().Events
	}
	if c.N >= f.thresholds.WatchCuts {
		c.Told = true
		f.report(e, record{Resource: e.Resource, N: int64(c.N), M: c.Age, Note: c.Stream})
	}
	c.Stream = ""
}

func (d *watchCuts) over(f *fold, resource string, c *cuts) {
	if c.Told {
		c.Told = false
		f.end(resource, "", "", int64(c.N))
	}
}

// ripen ends it when a watch gets much older.
func (d *watchCuts) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		c := &d.Resources[i].Value
		if !c.Told || c.Since == 0 {
			continue
		}
		if f.waits(c.Since+2*c.Age, &next) {
			continue
		}
		d.over(f, d.Resources[i].Name, c)
		c.N = 0
	}
	return next
}

func (*watchCuts) text(_ *fold, r *record) string {
	tense := "end"
	if r.Over {
		tense = "ended"
	}
	return fmt.Sprintf("the watches of %s %s at the same age, %s: %d in a row", r.Resource, tense, shortNS(r.M), r.N)
}

func (d *watchCuts) causes(_ *fold, r *record) []Cause {
	var cs []Cause
	low := strings.ToLower(r.Note)
	c := d.Resources.find(r.Resource)
	const whole = "a timeout of the whole client (rest.Config.Timeout, --request-timeout): it is for the body of a watch too"
	switch {
	case c != nil && c.Client > 0 && r.M > c.Client*8/10 && r.M < c.Client*12/10:
		cs = append(cs, Cause{whole, "its requests carry timeout=" + shortNS(c.Client)})
	case strings.Contains(low, "client.timeout"), strings.Contains(low, "deadline exceeded"):
		cs = append(cs, Cause{whole, "the client itself broke it off: " + r.Note})
	}
	if c != nil && c.Events == 0 {
		cs = append(cs, Cause{"a proxy or load balancer between closes what is idle for so long", "none of them brought an event"})
	}
	for _, known := range []struct {
		age time.Duration
		who string
	}{{30 * time.Second, "30 s is a default of several proxies and service meshes"}, {60 * time.Second, "60 s is the default of nginx (proxy_read_timeout) and of AWS load balancers"}, {240 * time.Second, "4 min is the default of Azure load balancers"}} {
		if age := time.Duration(r.M); age > known.age*9/10 && age < known.age*11/10 {
			cs = append(cs, Cause{"a proxy or load balancer with its default timeout", known.who})
		}
	}
	if len(cs) == 0 {
		cs = append(cs, Cause{Text: "a proxy, load balancer or API server between ends responses after so long"})
	}
	return cs
}

// ownTimeout is the timeout of the client in the query of a request: client-go adds
// rest.Config.Timeout to each.
func ownTimeout(query string) time.Duration {
	for word := range strings.FieldsSeq(query) {
		if s, ok := strings.CutPrefix(word, "timeout="); ok {
			d, _ := time.ParseDuration(s)
			return d
		}
	}
	return 0
}

// cause: what cuts at one age is one thing.
func (*watchCuts) cause(_ *fold, r *record) string {
	return time.Duration(r.M).Round(time.Second).String()
}

func (*watchCuts) joint(_ *fold, rs []*record) string {
	resources := make([]string, len(rs))
	for i, r := range rs {
		resources[i] = r.Resource
	}
	return fmt.Sprintf("the watches of %s end at the same age, about %s", names(resources), shortNS(rs[0].M))
}

func (d *watchCuts) clone() detector { return &watchCuts{Resources: d.Resources.clone(nil)} }
