package faults_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"informerscope/engine/faults"
)

// readAll reads with a buffer of a size until the stream ends.
func readAll(body io.Reader, size int, each func(read int)) ([]byte, error) {
	var out []byte
	p := make([]byte, size)
	for {
		n, err := body.Read(p)
		out = append(out, p[:n]...)
		if err != nil {
			return out, err
		}
		each(len(out))
	}
}

// Whatever comes, in whatever pieces, arrives byte for byte when no fault
// strikes: with nothing armed, while faults come and go, and when each event is
// looked at and let pass.
func FuzzUnstruckBytesPass(f *testing.F) {
	for _, contentType := range []string{jsonStream, protobufStream} {
		var stream []byte
		for _, name := range []string{"a", "b", "c"} {
			stream = append(stream, podFrame(f, contentType, "MODIFIED", name, "7")...)
		}
		for _, sizes := range []string{"", "\x00", "\x10\x63\x02", "\xff"} {
			f.Add(contentType == jsonStream, byte(2), byte(30), stream, []byte(sizes))
			f.Add(contentType == jsonStream, byte(1), byte(3), stream[:len(stream)-9], []byte(sizes))
			f.Add(contentType != jsonStream, byte(1), byte(200), stream, []byte(sizes))
		}
	}
	f.Add(true, byte(1), byte(9), []byte("{\n  \"type\": \"ADDED\"\n}\n{\n}\n 1 \"x\" {]"), []byte("\x03"))
	f.Add(true, byte(1), byte(9), []byte(`{"type":"ADDED"}{"type":"ADDED","object":7} {`), []byte("\x03"))
	f.Add(false, byte(1), byte(9), []byte("\x00\x00\x00\x00\xff\xff\xff\xffx"), []byte("\x03"))
	f.Fuzz(func(t *testing.T, isJSON bool, toggle, size byte, data, sizes []byte) {
		contentType := protobufStream
		if isJSON {
			contentType = jsonStream
		}
		set := faults.NewSet(faults.Options{Observe: func(h faults.Hit) { t.Errorf("struck: %+v", h) }})
		end := errors.New("the end of the connection")
		body := watchBody(t, set, contentType, &chunked{data: data, sizes: sizes, err: end})
		defer body.Close()
		arm(t, set, "drop services times=0")
		id, reads := 0, 0
		out, err := readAll(body, 1+int(size), func(int) {
			if reads++; toggle == 0 || reads%int(toggle) != 0 {
				return
			}
			if id == 0 {
				id = arm(t, set, "drop key=no/such-object times=0")
				return
			}
			set.Disarm(id)
			id = 0
		})
		if !bytes.Equal(out, data) || err != end {
			t.Errorf("%q then %v came out, want %q then %v", out, err, data, end)
		}
	})
}

// A fault that is armed in the middle of a frame strikes the next one: what
// arrives is the input up to the first border from there.
func TestArmedMidFrameStrikesTheNext(t *testing.T) {
	eachEncoding(t, func(t *testing.T, contentType string) {
		rapid.Check(t, func(rt *rapid.T) {
			var stream []byte
			borders := []int{0}
			for i := range rapid.IntRange(1, 6).Draw(rt, "events") {
				typ := rapid.SampledFrom([]string{"ADDED", "MODIFIED", "DELETED"}).Draw(rt, "type")
				stream = append(stream, podFrame(t, contentType, typ, string(rune('a'+i)), "7")...)
				borders = append(borders, len(stream))
			}
			sizes := rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(rt, "sizes")
			after := rapid.IntRange(0, len(stream)).Draw(rt, "after")
			words := rapid.SampledFrom([]string{"drop times=0", "error-410", "cut-mid-json", "malformed", "cut"}).Draw(rt, "fault")

			set := faults.NewSet(faults.Options{})
			body := watchBody(t, set, contentType, &chunked{data: stream, sizes: sizes})
			defer body.Close()
			// Before, events may have been looked at for a while.
			lookFrom := rapid.IntRange(0, len(stream)).Draw(rt, "look from")
			lookTo := rapid.IntRange(lookFrom, len(stream)).Draw(rt, "look to")
			look := 0
			armed := -1
			strike := func(read int) {
				if look == 0 && read >= lookFrom {
					look = arm(t, set, "drop key=no/such times=0")
				}
				if look > 0 && read >= lookTo {
					set.Disarm(look)
				}
				if armed < 0 && read >= after {
					armed = read
					arm(t, set, words)
				}
			}
			strike(0)
			out, err := readAll(body, rapid.IntRange(1, 400).Draw(rt, "buffer"), strike)

			border := 0 // the first from armed on
			for border < len(borders)-1 && borders[border] < armed {
				border++
			}
			at := borders[border]
			wantEnd := io.EOF
			switch words {
			case "cut":
				at, wantEnd = armed, nil
			case "cut-mid-json":
				if border < len(borders)-1 {
					wantEnd = io.ErrUnexpectedEOF
					if len(out) <= at || len(out) >= borders[border+1]-1 || !bytes.HasPrefix(stream, out) {
						rt.Fatalf("cut at %d, which is not within the event from %d to %d", len(out), at, borders[border+1])
					}
					at = len(out)
				}
			}
			if contentType == jsonStream && at > 0 && stream[at-1] == '\n' && bytes.HasPrefix(out, stream[:at-1]) && !bytes.HasPrefix(out, stream[:at]) {
				at-- // an event is whole without its line feed, which had not come
			}
			if !bytes.HasPrefix(out, stream[:at]) {
				rt.Fatalf("after %s at %d: %q does not begin with %q", words, armed, out, stream[:at])
			}
			if wantEnd != nil && err != wantEnd {
				rt.Fatalf("ended with %v, want %v", err, wantEnd)
			}
			rest := out[at:]
			switch words {
			case "error-410":
				events, _ := decoded(t, contentType, rest)
				if len(events) != 1 || events[0] != "ERROR Expired" {
					rt.Fatalf("after the border came %q (%q)", events, rest)
				}
			case "malformed":
				if events, err := decoded(t, contentType, rest); border < len(borders)-1 && (len(events) != 0 || err == io.EOF) {
					rt.Fatalf("after the border came %q, %v", events, err)
				}
			default:
				// The line feed of a JSON event that came late is no event.
				if len(bytes.TrimSpace(rest)) > 0 {
					rt.Fatalf("after %s at %d came %q", words, armed, rest)
				}
			}
		})
	})
}

// A frame that client-go would give up on is let pass, and none after it is
// looked for.
func TestHugeFramePasses(t *testing.T) {
	eachEncoding(t, func(t *testing.T, contentType string) {
		stream := objectFrame(t, contentType, "MODIFIED", &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "a", Annotations: map[string]string{"a": strings.Repeat("x", 17<<20)}}})
		stream = append(stream, podFrame(t, contentType, "MODIFIED", "b", "6")...)
		set := faults.NewSet(faults.Options{})
		arm(t, set, "drop times=0")
		body := watchBody(t, set, contentType, &chunked{data: slices.Clone(stream)})
		defer body.Close()
		if out, err := io.ReadAll(body); err != nil || !bytes.Equal(out, stream) {
			t.Errorf("%d bytes came of %d, %v", len(out), len(stream), err)
		}
	})
}

// Events that a server indents are let pass, whatever is armed when.
func TestIndentedEventsPass(t *testing.T) {
	doc := `{
  "type": "ADDED",
  "object": {
    "status": {
      "conditions": [
        {
          "type": "Ready"
        }
      ]
    }
  }
}
`
	set := faults.NewSet(faults.Options{})
	body := watchBody(t, set, jsonStream, &chunked{data: []byte(doc + doc)})
	defer body.Close()
	begun := make([]byte, strings.Index(doc, `        {`))
	if _, err := io.ReadFull(body, begun); err != nil {
		t.Fatal(err)
	}
	arm(t, set, "malformed")
	if out, err := io.ReadAll(body); err != nil || string(begun)+string(out) != doc+doc {
		t.Errorf("%q, %v", out, err)
	}
}
