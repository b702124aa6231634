package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
)

// continueToken says where the next page starts. It keeps kube-apiserver's shape: an RV of -1 means that the rest may
// come from any newer state.
type continueToken struct {
	APIVersion string `json:"v"`
	RV         int64  `json:"rv"`
	Start      string `json:"start"`
}

func (t continueToken) String() string {
	data, err := json.Marshal(t)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func parseContinue(s string) (t continueToken, err error) {
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	switch {
	case err != nil:
	case t.APIVersion != "meta.k8s.io/v1":
		err = fmt.Errorf("server does not recognize this encoded version %s", t.APIVersion)
	case t.RV == 0:
		err = fmt.Errorf("incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
	case t.Start == "":
		err = fmt.Errorf("encoded start key empty (version meta.k8s.io/v1)")
	}
	if err != nil {
		return t, apierrors.NewBadRequest("invalid continue token: continue key is not valid: " + err.Error())
	}
	return t, nil
}

// page selects the objects of one answer to a list.
func (h *Handler) page(k *kinds.Kind, s *selection) ([]*store.Object, metav1.ListMeta, error) {
	var meta metav1.ListMeta
	var at uint64
	start := ""
	if s.token != "" {
		t, err := parseContinue(s.token)
		if err != nil {
			return nil, meta, err
		}
		if s.rvGiven && s.rv != 0 {
			return nil, meta, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
		}
		start, at = t.Start, uint64(max(t.RV, 0))
	} else if s.exact {
		at = s.rv
	} else if err := h.store.Reached(s.rv); err != nil {
		return nil, meta, err
	}
	state, rv, err := h.store.At(k, at)
	if err != nil {
		if s.token != "" && apierrors.IsResourceExpired(err) {
			err = expiredContinue(start)
		}
		return nil, meta, err
	}
	meta.ResourceVersion = strconv.FormatUint(rv, 10)
	items := []*store.Object{}
	var remaining int64
	for key, o := range state.Objects(s.Namespace, start) {
		if s.limit > 0 && len(items) == s.limit {
			if meta.Continue == "" {
				meta.Continue = continueToken{"meta.k8s.io/v1", int64(rv), key}.String()
			}
			if remaining++; s.Selective() {
				break
			}
		} else if s.Matches(o) {
			items = append(items, o)
		}
	}
	if meta.Continue != "" && !s.Selective() {
		meta.RemainingItemCount = &remaining
	}
	return items, meta, nil
}

// expiredContinue offers a token that goes on from the present state instead.
func expiredContinue(start string) error {
	err := apierrors.NewResourceExpired("The provided continue parameter is too old to display a consistent list result. " +
		"You can start a new list without the continue parameter, or use the continue token in this response to retrieve " +
		"the remainder of the results. The remainder may then be inconsistent with the pages that you have.")
	err.ErrStatus.Continue = continueToken{"meta.k8s.io/v1", -1, start}.String()
	return err
}
