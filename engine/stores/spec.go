package stores

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is one of client-go's storage types.
type Kind string

// The kinds, by the words that Parse takes.
const (
	Store           Kind = "store"
	UndeltaStore    Kind = "undelta"
	FIFO            Kind = "fifo"
	DeltaFIFO       Kind = "delta"
	Heap            Kind = "heap"
	ExpirationCache Kind = "ttl"
)

// Order is the order in which a Heap hands out.
type Order string

// The orders of a Heap.
const (
	ByName Order = "name"
	ByRV   Order = "rv"  // lowest resourceVersion first, as a number
	ByAge  Order = "age" // oldest creationTimestamp first
)

// DefaultTTL is that of an ExpirationCache for which none is given.
const DefaultTTL = 30 * time.Second

// Spec asks for one store.
type Spec struct {
	Kind  Kind
	Order Order         // of a Heap
	TTL   time.Duration // of an ExpirationCache
}

// All is one of each kind.
func All() []Spec {
	return []Spec{{Kind: Store}, {Kind: UndeltaStore}, {Kind: FIFO}, {Kind: DeltaFIFO}, {Kind: Heap, Order: ByName}, {Kind: ExpirationCache, TTL: DefaultTTL}}
}

// Name is the store's name in events and panes. It is unique among the specs
// that Parse returns.
func (s Spec) Name() string {
	switch s.Kind {
	case Store:
		return "Store"
	case UndeltaStore:
		return "UndeltaStore"
	case FIFO:
		return "FIFO"
	case DeltaFIFO:
		return "DeltaFIFO"
	case Heap:
		if s.Order == ByRV {
			return "Heap by RV"
		}
		return "Heap by " + string(s.Order)
	default:
		return "ExpirationCache"
	}
}

// String is the spec as Parse takes it.
func (s Spec) String() string {
	switch s.Kind {
	case Heap:
		return string(Heap) + "=" + string(s.Order)
	case ExpirationCache:
		return string(ExpirationCache) + "=" + s.TTL.String()
	}
	return string(s.Kind)
}

// Format prints specs as Parse takes them.
func Format(specs []Spec) string {
	words := make([]string, len(specs))
	for i, s := range specs {
		words[i] = s.String()
	}
	return strings.Join(words, ",")
}

// Grammar says what Parse takes, in one line.
const Grammar = "all, or some of store,undelta,fifo,delta,heap=name|rv|age,ttl=DURATION"

// Parse reads a list such as "fifo,heap=rv,heap=age,ttl=10s". "all" stands for
// the kinds that are not named beside it.
func Parse(text string) ([]Spec, error) {
	var specs []Spec
	all := false
	for word := range strings.SplitSeq(text, ",") {
		if word == "all" {
			all = true
			continue
		}
		s, err := parseOne(word)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(specs, func(o Spec) bool { return o.Name() == s.Name() }) {
			return nil, fmt.Errorf("%s is named twice", s.Name())
		}
		specs = append(specs, s)
	}
	if all {
		for _, s := range All() {
			if !slices.ContainsFunc(specs, func(o Spec) bool { return o.Kind == s.Kind }) {
				specs = append(specs, s)
			}
		}
	}
	// In the order of All, whatever the order of the words.
	slices.SortStableFunc(specs, func(a, b Spec) int { return place(a.Kind) - place(b.Kind) })
	return specs, nil
}

func place(k Kind) int { return slices.IndexFunc(All(), func(s Spec) bool { return s.Kind == k }) }

func parseOne(word string) (Spec, error) {
	name, value, given := strings.Cut(word, "=")
	s := Spec{Kind: Kind(name)}
	switch s.Kind {
	case Heap:
		s.Order = ByName
		if given {
			s.Order = Order(value)
		}
		if !slices.Contains([]Order{ByName, ByRV, ByAge}, s.Order) {
			return s, fmt.Errorf("a heap cannot be ordered by %q: use heap=name, heap=rv or heap=age", value)
		}
		return s, nil
	case ExpirationCache:
		s.TTL = DefaultTTL
		if given {
			var err error
			if s.TTL, err = time.ParseDuration(value); err != nil || s.TTL <= 0 {
				return s, fmt.Errorf("%q is not a TTL: use a duration such as ttl=30s", value)
			}
		}
		return s, nil
	case Store, UndeltaStore, FIFO, DeltaFIFO:
		if given {
			return s, fmt.Errorf("%s takes no value: drop %q", name, "="+value)
		}
		return s, nil
	}
	return s, fmt.Errorf("there is no store %q: use %s", word, Grammar)
}
