package rest

import (
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

func conflict(k *kinds.Kind, name string) error {
	return apierrors.NewConflict(k.GR(), name, errors.New(
		"the object has been modified; please apply your changes to the latest version and try again"))
}

// invalidUpdate is an Invalid error about what only an update checks, which names objects by their resource.
func invalidUpdate(k *kinds.Kind, name string, errs ...*field.Error) error {
	return apierrors.NewInvalid(schema.GroupKind{Group: k.GVK().Group, Kind: k.GR().Resource}, name, errs)
}

// otherObject is the answer to an update of an object of the same name that was there before.
func otherObject(cur *store.Object, uid string) error {
	key := "/registry/" + cur.Kind().GR().Resource + "/" + cur.Key()
	return apierrors.NewConflict(cur.Kind().GR(), cur.Name(), fmt.Errorf("StorageError: invalid object, Code: 4, Key: %s, "+
		"ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s", key, uid, cur.UID()))
}

// preconditionFailed is the answer to a deletion that is about another version, or another object of the same name.
func preconditionFailed(cur *store.Object, what, want, have, why string) error {
	return apierrors.NewConflict(schema.GroupResource{Group: cur.Kind().GVK().Group, Resource: cur.Kind().GVK().Kind}, cur.Name(), fmt.Errorf(
		"the %s in the precondition (%s) does not match the %s in record (%s). The object might have been %s", what, want, what, have, why))
}

func unprocessable(message string) error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", message, 0, false)
}

// tooLargeFor says whether err is that an object is too large to store, and the write may do without managedFields: as in
// kube-apiserver they are given up then, but not by an apply, which is about them.
func tooLargeFor(err error, opts Options) bool {
	return errors.Is(err, store.ErrTooLarge) && !opts.applied
}

// maxNested is how many objects and lists a body or a patched object may have. Two bytes are enough for one, which takes far more
// memory once it is decoded, and an error if it is not valid.
const maxNested = 100_000

// CheckNested refuses JSON with more than maxNested objects and lists. kube-apiserver has no such bound.
func CheckNested(data []byte) error {
	if n := tree.Nested(data); n > maxNested {
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("the sandbox takes at most %d objects and lists in one body, got %d", maxNested, n))
	}
	return nil
}
