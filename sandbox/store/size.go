package store

import "errors"

// What etcd answers, in its own words: kube-apiserver passes these on with status 500 and no reason.
var (
	// ErrTooLarge says that an object is over maxObject.
	ErrTooLarge = errors.New("etcdserver: request is too large")
	// ErrNoSpace says that the objects would be over Limits.Bytes together.
	ErrNoSpace = errors.New("etcdserver: mvcc: database space exceeded")
)

// maxObject is how many bytes an object may have as it would lie in etcd: in protobuf, or in JSON if it is custom. It is etcd's
// default --max-request-bytes, which counts the key and some more besides.
const maxObject = 3 << 19

// fitsLocked refuses o, which is to follow old (nil for none), if it or the store grows too large by it. A version that is no
// larger than the one before always fits into the store.
func (s *Store) fitsLocked(o, old *Object) error {
	if size, err := o.storedSize(); err != nil || size > maxObject {
		return errors.Join(err, ErrTooLarge)
	}
	grows := int64(len(o.raw))
	if old != nil {
		grows -= int64(len(old.raw))
	}
	if s.room > 0 && grows > 0 && s.bytes+grows > s.room {
		return ErrNoSpace
	}
	return nil
}

// storedSize is the size of o in etcd. Protobuf is made only where it may decide: it is hardly ever the larger of the two.
func (o *Object) storedSize() (int, error) {
	if len(o.raw) <= maxObject || o.kind.Custom() {
		return len(o.raw), nil
	}
	w, err := o.Protobuf()
	if err != nil {
		return 0, err
	}
	return len(w.Envelope), nil
}
