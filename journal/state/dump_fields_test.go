package state

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/tidwall/btree"

	"informerscope/journal"
	"informerscope/journal/findings"
)

// notDumped are the fields that no dump holds, with the reason.
var notDumped = map[string]string{
	"State.Journal":    "the reader of the dump has the events",
	"State.Resources":  "follows from all",
	"State.gen":        "a number of this fold alone",
	"FIFO.shared":      "Resume sets it",
	"Seen.shared":      "Resume sets it",
	"keySet.gen":       "a number of this fold alone",
	"FIFO.places":      "follows from order",
	"FIFO.deltas":      "follows from order",
	"Queue.waitingDue": "follows from waiting",
	"Queue.failures":   "follows from requeues",
	"Queue.ready":      "follows from ranks",
	"Store.order":      "follows from items",
}

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// filler sets every field of a value to something that is not zero, and no two
// numbers, texts or times are alike.
type filler struct{ n int64 }

// open makes v, a field of what is addressable, one that can be set.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(began.Add(time.Duration(f.n*f.n) * time.Millisecond)))
		return
	case reflect.TypeFor[*findings.Set]():
		thresholds := findings.Default()
		thresholds.HotLoop = 7
		set := findings.New(thresholds)
		for i := range 9 {
			set.Apply(&journal.Event{Seq: uint64(i), Time: began, Kind: journal.KindReconcileStarted, Resource: "pods", Key: "x/a", RV: "1", Flags: journal.Found})
		}
		v.Set(reflect.ValueOf(set))
		return
	case reflect.TypeFor[*btree.BTreeG[Ready]](), reflect.TypeFor[journal.View]():
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text ", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.n)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.n))
	case reflect.Float64:
		v.SetFloat(float64(f.n))
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return // settle makes it
		}
		v.Set(reflect.ValueOf(fmt.Sprint("object ", f.n)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i))
		}
	case reflect.Struct:
		if set := v.Addr().MethodByName("Set"); set.IsValid() { // an ordered map
			for range 2 {
				k, e := reflect.New(set.Type().In(0)).Elem(), reflect.New(set.Type().In(1)).Elem()
				f.fill(k)
				f.fill(e)
				set.Call([]reflect.Value{k, e})
			}
			return
		}
		for i := range v.NumField() {
			f.fill(open(v.Field(i)))
		}
	default:
		panic("the test cannot fill a " + v.Type().String())
	}
}

// Set and GetAt make of sorted what filler and treeDifferences know as a map.
func (s *sorted[K, V]) Set(key K, v V) { put(s, key, v) }

func (s *sorted[K, V]) GetAt(i int) (K, V, bool) {
	k, v := s.At(i)
	return k, v, true
}

// settle gives what follows from other fields the content that it must have.
func settle(s *State) {
	for _, r := range s.all {
		q := &r.FIFO
		q.places, q.deltas = sorted[string, uint64]{}, 0
		q.order.Scan(func(place uint64, k FIFOKey) bool {
			put(&q.places, k.Key, place)
			q.deltas += len(k.Deltas)
			return true
		})
		w := &r.Queue
		w.ready = newReady()
		w.ranks.Scan(func(_ string, r Ready) bool { w.ready.Set(r); return true })
		due := w.waiting
		w.waiting, w.waitingDue, w.failures = sorted[string, Waiting]{}, sorted[string, string]{}, sorted[string, string]{}
		due.Scan(func(_ string, x Waiting) bool {
			put(&w.waitingDue, x.Key, dueKey(x.Due, x.Key))
			put(&w.waiting, dueKey(x.Due, x.Key), x)
			return true
		})
		w.requeues.Scan(func(key string, n int64) bool { put(&w.failures, failureKey(n, key), key); return true })
		for i := range r.Stores.stores {
			st := &r.Stores.stores[i]
			items := st.items
			st.items, st.order = sorted[string, StoreItem]{}, sorted[string, string]{}
			items.Scan(func(_ string, x StoreItem) bool {
				put(&st.items, x.Key, x)
				put(&st.order, x.place(), x.Key)
				return true
			})
		}
		r.Seen.Total = uint64(len(r.Seen.notices))
	}
	s.Resources = s.all
}

// differences are the places where a and b differ; fields seen go to seen.
func differences(path string, a, b reflect.Value, seen map[string]bool) (ds []string) {
	differ := func() []string { return []string{fmt.Sprintf("%s: %v, loaded as %v", path, a, b)} }
	if t, ok := a.Interface().(time.Time); ok {
		if !t.Equal(b.Interface().(time.Time)) {
			return differ()
		}
		return nil
	}
	if set, ok := a.Interface().(*findings.Set); ok {
		x, _ := set.MarshalJSON()
		y, _ := b.Interface().(*findings.Set).MarshalJSON()
		if string(x) != string(y) {
			return []string{fmt.Sprintf("%s: %s, loaded as %s", path, x, y)}
		}
		return nil
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return differ()
			}
			return nil
		}
		if a.Kind() == reflect.Interface {
			if a.Elem().MethodByName("GetAt").IsValid() {
				return treeDifferences(path, a.Elem(), b.Elem(), seen)
			}
			if !reflect.DeepEqual(a.Interface(), b.Interface()) {
				return differ()
			}
			return nil
		}
		return differences(path, a.Elem(), b.Elem(), seen)
	case reflect.Array, reflect.Slice:
		if a.Len() != b.Len() {
			return differ()
		}
		for i := range a.Len() {
			ds = append(ds, differences(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i), seen)...)
		}
		return ds
	case reflect.Struct:
		if a.Addr().MethodByName("GetAt").IsValid() { // sorted
			return treeDifferences(path, a.Addr(), b.Addr(), seen)
		}
		for i := range a.NumField() {
			f := a.Type().Name() + "." + a.Type().Field(i).Name
			seen[f] = true
			if follows := strings.HasPrefix(notDumped[f], "follows"); notDumped[f] == "" || follows && f != "State.Resources" {
				ds = append(ds, differences(path+"."+a.Type().Field(i).Name, open(a.Field(i)), open(b.Field(i)), seen)...)
			}
		}
		return ds
	default:
		if a.Interface() != b.Interface() {
			return differ()
		}
		return nil
	}
}

// treeDifferences compares two ordered maps (or sets) entry by entry.
func treeDifferences(path string, a, b reflect.Value, seen map[string]bool) (ds []string) {
	size := func(v reflect.Value) int { return int(v.MethodByName("Len").Call(nil)[0].Int()) }
	if size(a) != size(b) {
		return []string{fmt.Sprintf("%s: %d entries, loaded as %d", path, size(a), size(b))}
	}
	for i := range size(a) {
		at := []reflect.Value{reflect.ValueOf(i)}
		ea, eb := a.MethodByName("GetAt").Call(at), b.MethodByName("GetAt").Call(at)
		for j := range len(ea) - 1 {
			va, vb := reflect.New(ea[j].Type()).Elem(), reflect.New(ea[j].Type()).Elem()
			va.Set(ea[j])
			vb.Set(eb[j])
			ds = append(ds, differences(fmt.Sprintf("%s[%d]", path, i), va, vb, seen)...)
		}
	}
	return ds
}

// Every field of every struct in a State comes back from a dump. When a field
// is new, this fails until the methods of fields know it (and dumpVersion is
// one higher), or notDumped says why no dump needs it.
func TestDumpKnowsEveryField(t *testing.T) {
	s := &State{}
	f := &filler{}
	f.fill(reflect.ValueOf(s).Elem())
	settle(s)
	var objects []any
	dumped := s.Dump(nil, func(x any) uint64 {
		objects = append(objects, x)
		return uint64(len(objects))
	})
	got, err := Load(dumped, func(n uint64) any { return objects[n-1] })
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, d := range differences("State", reflect.ValueOf(s).Elem(), reflect.ValueOf(got).Elem(), seen) {
		t.Error(d)
	}
	for name := range notDumped {
		if !seen[name] {
			t.Errorf("there is no field %s", name)
		}
	}
}
