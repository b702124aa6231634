package findings

import (
	"fmt"

	"informerscope/journal"
)

// cacheDiffers follows the checks of a cache. It goes on until a check finds that
// the cache has everything, or a list replaces what the cache has.
type cacheDiffers struct {
	timeless
	lasts
	Resources byName[lastCheck] `json:"resources"`
}

// lastCheck is the last one that found a difference.
type lastCheck struct {
	Told  bool   `json:"told,omitempty"` // reported, and not over
	N     int64  `json:"n,omitempty"`    // keys that differ
	Of    int64  `json:"of,omitempty"`   // objects of the server
	First string `json:"first,omitempty"`
}

func newCacheDiffers() detector { return &cacheDiffers{} }

func (*cacheDiffers) wants() []journal.Kind {
	return []journal.Kind{journal.KindCacheChecked, journal.KindCacheDiffers, journal.KindListDone, journal.KindWatchBookmark}
}

func (d *cacheDiffers) apply(f *fold, e *journal.Event) {
	switch e.Kind {
	case journal.KindCacheChecked:
		d.checked(f, e)
	case journal.KindCacheDiffers: // the first one of the check before it
		if c := d.Resources.find(e.Resource); c != nil && c.Told && c.First == "" {
			c.First = describe(e)
		}
	default:
		if !isWholeList(e) {
			return
		}
		for i := range d.Resources {
			if c := &d.Resources[i]; journal.BaseOf(c.Name) == e.Resource && c.Value.Told {
				c.Value.Told = false
				f.end(c.Name, "", "", c.Value.N)
			}
		}
	}
}

func (d *cacheDiffers) checked(f *fold, e *journal.Event) {
	switch x := e.CacheChecked(); {
	case x.Error != "": // there was no LIST
	case x.Differ >= int64(f.thresholds.CacheDiffers):
		// Before the state: to begin anew is judged by what was.
		f.report(e, record{Resource: e.Resource, N: x.Differ, M: x.Objects})
		*d.Resources.of(e.Resource) = lastCheck{Told: true, N: x.Differ, Of: x.Objects}
	case x.Uncertain == "":
		if c := d.Resources.find(e.Resource); c != nil && c.Told {
			c.Told = false
			f.end(e.Resource, "", "", c.N)
		}
	}
}

// describe says one difference.
func describe(e *journal.Event) string {
	switch e.CacheDiffers().How {
	case journal.CacheMissing:
		return e.Key + " is missing"
	case journal.CacheExtra:
		return e.Key + " is gone from the server"
	}
	return fmt.Sprintf("%s is stale at rv %s, the server has rv %s", e.Key, e.CacheDiffers().Stored, e.RV)
}

func (d *cacheDiffers) text(_ *fold, r *record) string {
	c := d.Resources.find(r.Resource)
	if c == nil {
		c = &lastCheck{N: r.N, Of: r.M}
	}
	text := fmt.Sprintf("the cache of %s differed from a LIST of %s in %s", r.Resource, plural(c.Of, "object"), plural(c.N, "key"))
	if c.First != "" {
		text += ": " + c.First
		if c.N > 1 {
			text += fmt.Sprintf(", and %d more", c.N-1)
		}
	}
	if r.Over {
		text += "; it was put right"
	}
	return text
}

func (d *cacheDiffers) clone() detector { return &cacheDiffers{Resources: d.Resources.clone(nil)} }

// isWholeList reports whether the Reflector has all of a list with e.
func isWholeList(e *journal.Event) bool {
	return e.Kind == journal.KindListDone && !e.Has(journal.Partial) || e.Kind == journal.KindWatchBookmark && e.Has(journal.Initial)
}
