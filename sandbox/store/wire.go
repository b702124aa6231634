package store

import (
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Protobuf is o in protobuf. All watches and lists share it, since to make it costs more than all the rest of an event.
func (o *Object) Protobuf() (*Wire, error) {
	if f := o.wire.Load(); f != nil {
		return f, nil
	}
	obj := o.kind.New()
	if err := utiljson.Unmarshal(o.raw, obj); err != nil {
		return nil, err
	}
	message, err := obj.(interface{ Marshal() ([]byte, error) }).Marshal()
	if err != nil {
		return nil, err
	}
	envelope, err := Envelope(o.kind.APIVersion(), o.kind.GVK().Kind, message)
	if err != nil {
		return nil, err
	}
	end := len(envelope) - envelopeTail
	f := &Wire{envelope, envelope[end-len(message) : end]}
	o.wire.Store(f)
	return f, nil
}

// Envelope wraps the message of an object, as the protobuf serializer of apimachinery does.
func Envelope(apiVersion, kind string, message []byte) ([]byte, error) {
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: apiVersion, Kind: kind}, Raw: message}
	data, err := unknown.Marshal()
	if err != nil {
		return nil, err
	}
	return append([]byte(protobufMagic), data...), nil
}

// protobufMagic begins every envelope.
const protobufMagic = "k8s\x00"

// envelopeTail is what follows the message in an envelope: two empty strings, of the encoding and the content type.
const envelopeTail = 4
