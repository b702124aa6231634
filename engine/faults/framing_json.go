package faults

import (
	"bytes"
	"encoding/json"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// jsonFraming is one JSON document after another. API servers end each with a
// line feed and write none within: that is all there is to know while bytes
// pass. Should a server indent its events, the splitter finds things that are
// no events, and lets them pass.
type jsonFraming struct{ last byte }

func (f *jsonFraming) skip(b []byte) {
	if len(b) > 0 {
		f.last = b[len(b)-1]
	}
}

func (f *jsonFraming) border() bool { return f.last == '\n' }

func (f *jsonFraming) rest(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

func (f *jsonFraming) split(src *source) splitter {
	return &jsonSplitter{src: src, decoder: json.NewDecoder(src)}
}

func (f *jsonFraming) contentType() string { return runtime.ContentTypeJSON }

func (f *jsonFraming) read(frame []byte) (event, bool) {
	var e struct {
		Type   watch.EventType
		Object struct {
			Metadata struct {
				Namespace, Name, ResourceVersion string
				Annotations                      struct {
					InitialEvents string `json:"k8s.io/initial-events-end"` // metav1.InitialEventsAnnotationKey
				}
			}
		}
	}
	// An event whose object is of a strange form is an event nevertheless:
	// Unmarshal goes on after what does not fit.
	err := json.Unmarshal(frame, &e)
	if _, strange := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !strange || !isEvent(e.Type) {
		return event{}, false
	}
	m := &e.Object.Metadata
	return newEvent(e.Type, m.Namespace, m.Name, m.ResourceVersion, m.Annotations.InitialEvents), true
}

func (f *jsonFraming) write(t watch.EventType, object []byte) ([]byte, error) {
	frame, err := json.Marshal(metav1.WatchEvent{Type: string(t), Object: runtime.RawExtension{Raw: object}})
	return append(frame, '\n'), err
}

func (f *jsonFraming) malformed(text string) []byte {
	if text == "" {
		text = `{"type":"MODIFIED",]`
	}
	return []byte(text + "\n")
}

// jsonSplitter finds documents with a json.Decoder, as apimachinery's framer
// does, which keeps to itself how far it got.
type jsonSplitter struct {
	src     *source
	decoder *json.Decoder
	taken   int64
}

func (j *jsonSplitter) next() ([]byte, error) {
	var doc json.RawMessage
	if err := j.decoder.Decode(&doc); err != nil {
		return nil, err
	}
	n := int(j.decoder.InputOffset() - j.taken)
	if n < len(j.src.raw) && j.src.raw[n] == '\n' {
		n++
	}
	j.taken += int64(n)
	return j.src.take(n), nil
}
