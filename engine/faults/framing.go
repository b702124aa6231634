package faults

import (
	"mime"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// framing is how events lie in a stream.
//
// While nothing is armed, bytes pass unparsed and a framing only follows them
// with skip, so that a fault that is armed later knows where the next frame
// begins. Once frames matter, a splitter takes whole ones from the stream.
type framing interface {
	// skip notes bytes that were handed on.
	skip(b []byte)
	// border says whether the bytes so far are whole frames.
	border() bool
	// rest is how many bytes of b end the frame that is under way, which there
	// is; all of b if they do not.
	rest(b []byte) int
	// split takes frames from src, which is at a border.
	split(src *source) splitter

	// read finds out what a frame says; false for what is no watch event.
	read(frame []byte) (event, bool)
	// write makes a frame of an encoded object.
	write(t watch.EventType, object []byte) ([]byte, error)
	// malformed is a frame that no decoder takes.
	malformed(text string) []byte
	contentType() string
}

// splitter takes frames from a stream.
type splitter interface {
	// next returns the next frame with all its bytes. After an error, what was
	// read and is no frame is still in the source.
	next() ([]byte, error)
}

// framingOf returns nil for a Content-Type whose frames we do not know.
func framingOf(contentType string) framing {
	mediaType, params, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return nil
	case mediaType == runtime.ContentTypeJSON:
		return &jsonFraming{last: '\n'}
	case mediaType == runtime.ContentTypeProtobuf && params["stream"] == "watch":
		return &protobufFraming{}
	}
	return nil
}

// isEvent says whether t is one of the types that a watch can send.
func isEvent(t watch.EventType) bool { return t != "" && validType(t) == nil }

// newEvent makes an event from the metadata of its object; initialEvents is the
// value of annotation metav1.InitialEventsAnnotationKey.
func newEvent(t watch.EventType, namespace, name, rv, initialEvents string) event {
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	return event{typ: t, key: key, rv: rv, initialEnd: t == watch.Bookmark && initialEvents == "true"}
}
