package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

// selection is the parsed query of a list, watch or deletecollection.
type selection struct {
	filter
	rv      uint64
	rvGiven bool
	exact   bool
	limit   int
	token   string
	// sendInitial is nil when the query does not say.
	sendInitial *bool
	bookmarks   bool
	timeout     int64
}

func parseSelection(query url.Values, q *request) (*selection, error) {
	s := &selection{filter: filter{namespace: q.namespace}, token: query.Get("continue")}
	var err error
	if s.labels, err = labels.Parse(query.Get("labelSelector")); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("unable to parse label selector %q: %v", query.Get("labelSelector"), err))
	}
	if s.fields, err = fields.ParseSelector(query.Get("fieldSelector")); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("unable to parse field selector %q: %v", query.Get("fieldSelector"), err))
	}
	for _, req := range s.fields.Requirements() {
		if _, known := (objectFields{&object{kind: q.kind, fields: make([]string, len(q.kind.fields))}}).lookup(req.Field); !known {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("field label not supported: %s", req.Field))
		}
	}
	if q.name != "" {
		s.fields = fields.AndSelectors(s.fields, fields.OneTermEqualSelector("metadata.name", q.name))
	}
	rv := query.Get("resourceVersion")
	if s.rvGiven = rv != ""; s.rvGiven {
		if s.rv, err = strconv.ParseUint(rv, 10, 64); err != nil {
			return nil, invalidOption(q, "resourceVersion", rv, "must be an unsigned number")
		}
	}
	limit, err := number(query, q, "limit")
	if err != nil {
		return nil, err
	}
	s.limit = int(max(limit, 0))
	if s.timeout, err = number(query, q, "timeoutSeconds"); err != nil {
		return nil, err
	}
	s.bookmarks = truth(query.Get("allowWatchBookmarks"))
	if v := query.Get("sendInitialEvents"); v != "" {
		b := truth(v)
		s.sendInitial = &b
	}
	match := metav1.ResourceVersionMatch(query.Get("resourceVersionMatch"))
	// A limit at some resourceVersion without a match means Exact too, for the sake of old clients.
	s.exact = match == metav1.ResourceVersionMatchExact || (match == "" && s.limit > 0 && s.rv > 0)
	if errs := validation.ValidateListOptions(&internalversion.ListOptions{
		Watch: q.watch, ResourceVersion: rv, ResourceVersionMatch: match, Continue: s.token, SendInitialEvents: s.sendInitial,
	}, true); len(errs) > 0 {
		return nil, apierrors.NewInvalid(metav1.SchemeGroupVersion.WithKind("ListOptions").GroupKind(), "", errs)
	}
	return s, nil
}

func number(query url.Values, q *request, name string) (int64, error) {
	v := query.Get(name)
	if v == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return 0, invalidOption(q, name, v, "must be a number")
	}
	return n, nil
}

func invalidOption(_ *request, name, value, why string) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s: invalid value %q: %s", name, value, why))
}

func truth(v string) bool { return v != "" && v != "0" && !strings.EqualFold(v, "false") }

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
	if err != nil || t.APIVersion != "meta.k8s.io/v1" || t.Start == "" {
		return t, apierrors.NewBadRequest("continue key is not valid: use the one of the previous answer, unchanged")
	}
	return t, nil
}

func (h *handler) get(w http.ResponseWriter, r *http.Request, q *request) error {
	o := h.store.get(q.ref())
	if o == nil {
		return apierrors.NewNotFound(q.kind.gr(), q.name)
	}
	if rv := r.URL.Query().Get("resourceVersion"); rv != "" {
		asked, err := strconv.ParseUint(rv, 10, 64)
		if err != nil {
			return invalidOption(q, "resourceVersion", rv, "must be an unsigned number")
		}
		if cur := h.store.resourceVersion(); asked > cur {
			return tooLarge(asked, cur)
		}
	}
	if q.subresource == "scale" {
		return h.sendScale(w, r, q, o)
	}
	return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
}

func (h *handler) list(w http.ResponseWriter, r *http.Request, q *request) error {
	s, err := parseSelection(r.URL.Query(), q)
	if err != nil {
		return err
	}
	items, meta, err := h.page(q.kind, s)
	if err != nil {
		return err
	}
	return sendList(w, r, q, items, meta, h.clock.Now())
}

// page selects the objects of one answer to a list.
func (h *handler) page(k *kind, s *selection) ([]*object, metav1.ListMeta, error) {
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
	} else if cur := h.store.resourceVersion(); s.rv > cur {
		return nil, meta, tooLarge(s.rv, cur)
	}
	state, rv, err := h.store.at(k, at)
	if err != nil {
		if s.token != "" && apierrors.IsResourceExpired(err) {
			err = expiredContinue(start)
		}
		return nil, meta, err
	}
	meta.ResourceVersion = strconv.FormatUint(rv, 10)
	prefix := keyPrefix(s.namespace)
	items := []*object{}
	var remaining int64
	state.Ascend(max(start, prefix), func(key string, o *object) bool {
		if !strings.HasPrefix(key, prefix) {
			return false
		}
		if s.limit > 0 && len(items) == s.limit {
			if meta.Continue == "" {
				meta.Continue = continueToken{"meta.k8s.io/v1", int64(rv), key}.String()
			}
			remaining++
			return !s.selective()
		}
		if s.matches(o) {
			items = append(items, o)
		}
		return true
	})
	if meta.Continue != "" && !s.selective() {
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
