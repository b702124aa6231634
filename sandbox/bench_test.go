package sandbox

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/utils/clock"
)

func BenchmarkPopulate(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o, err := Options{Objects: n, Seed: 1}.complete()
				if err != nil {
					b.Fatal(err)
				}
				s := newStore(clock.RealClock{}, o.History)
				if err := newWorld(api{s, o.Clock}, o).populate(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var _ = context.Background
