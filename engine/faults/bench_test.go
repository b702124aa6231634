package faults_test

import (
	"io"
	"testing"

	"informerscope/engine/faults"
)

// endless gives the same frame out for ever, at most one with each Read.
type endless struct {
	frame []byte
	at    int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.frame[e.at:])
	e.at = (e.at + n) % len(e.frame)
	return n, nil
}

func (e *endless) Close() error { return nil }

// One operation is one watch event of a pod of about 2 kB, read in one piece.
func BenchmarkEvent(b *testing.B) {
	for name, contentType := range map[string]string{"json": jsonStream, "protobuf": protobufStream} {
		frame := bigPodFrame(b, contentType)
		for _, c := range []struct{ name, words string }{
			{"bare", ""},
			{"nothing armed", ""},
			{"armed for others", "drop services times=0"},
			{"looked at", "drop key=no/such times=0"},
		} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				set := faults.NewSet(faults.Options{})
				if c.words != "" {
					arm(b, set, c.words)
				}
				var body io.ReadCloser = &endless{frame: frame}
				if c.name != "bare" {
					body = watchBody(b, set, contentType, body)
				}
				p := make([]byte, 1<<15)
				b.SetBytes(int64(len(frame)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := body.Read(p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
