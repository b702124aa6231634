package faults

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/framer"
	"k8s.io/apimachinery/pkg/watch"
)

// protobufFraming is length-delimited metav1.WatchEvents, each with its object
// in the envelope of runtime.Unknown.
type protobufFraming struct {
	header [4]byte // of the frame under way
	have   int     // bytes of header that have come
	body   int64   // bytes of the body that have not
}

func (f *protobufFraming) skip(b []byte) {
	for len(b) > 0 {
		if f.body == 0 {
			n := copy(f.header[f.have:], b)
			f.have, b = f.have+n, b[n:]
			if f.have < len(f.header) {
				return
			}
			f.have, f.body = 0, int64(binary.BigEndian.Uint32(f.header[:]))
			continue
		}
		n := min(f.body, int64(len(b)))
		f.body, b = f.body-n, b[n:]
	}
}

func (f *protobufFraming) border() bool { return f.have == 0 && f.body == 0 }

func (f *protobufFraming) rest(b []byte) int {
	g := *f
	n := 0
	for !g.border() && n < len(b) {
		step := max(1, min(int(g.body), len(b)-n))
		g.skip(b[n : n+step])
		n += step
	}
	return n
}

func (f *protobufFraming) split(src *source) splitter {
	return &protobufSplitter{src: src, frames: framer.NewLengthDelimitedFrameReader(io.NopCloser(src))}
}

func (f *protobufFraming) contentType() string { return runtime.ContentTypeProtobuf }

func (f *protobufFraming) read(frame []byte) (event, bool) {
	var e metav1.WatchEvent
	if len(frame) < len(f.header) || e.Unmarshal(frame[len(f.header):]) != nil || !isEvent(watch.EventType(e.Type)) {
		return event{}, false
	}
	// Every kind has its ObjectMeta where PartialObjectMetadata has it.
	var o metav1.PartialObjectMetadata
	var u runtime.Unknown
	if raw, ok := bytes.CutPrefix(e.Object.Raw, []byte("k8s\x00")); ok && e.Type != string(watch.Error) && u.Unmarshal(raw) == nil {
		_ = o.Unmarshal(u.Raw)
	}
	return newEvent(watch.EventType(e.Type), o.Namespace, o.Name, o.ResourceVersion, o.Annotations[metav1.InitialEventsAnnotationKey]), true
}

func (f *protobufFraming) write(t watch.EventType, object []byte) ([]byte, error) {
	e := metav1.WatchEvent{Type: string(t), Object: runtime.RawExtension{Raw: object}}
	body, err := e.Marshal()
	if err != nil {
		return nil, err
	}
	return delimited(body)
}

func (f *protobufFraming) malformed(text string) []byte {
	// Field 0 is an error of its own. Most other garbage is to a decoder the
	// beginning of something long, and to client-go an unexpected EOF.
	frame, _ := delimited([]byte("\x00" + text)) // a bytes.Buffer takes everything
	return frame
}

func delimited(body []byte) ([]byte, error) {
	var b bytes.Buffer
	if _, err := framer.NewLengthDelimitedFrameWriter(&b).Write(body); err != nil {
		return nil, fmt.Errorf("write a frame: %w", err)
	}
	return b.Bytes(), nil
}

// protobufSplitter lets apimachinery's framer find the frames, which reads no
// byte further.
type protobufSplitter struct {
	src     *source
	frames  io.Reader
	scratch [4096]byte // the bytes are also in src
}

func (p *protobufSplitter) next() ([]byte, error) {
	for {
		switch _, err := p.frames.Read(p.scratch[:]); {
		case err == nil:
			return p.src.take(len(p.src.raw)), nil
		case !isShortBuffer(err):
			return nil, err
		}
	}
}
