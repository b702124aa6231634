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
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
)

// selection is the parsed query of a list, watch or deletecollection.
type selection struct {
	store.Filter
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
	var o metav1.ListOptions
	if err := metav1.Convert_url_Values_To_v1_ListOptions(&query, &o, nil); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	s := &selection{
		Filter: store.Filter{Namespace: q.namespace}, token: o.Continue, limit: int(max(o.Limit, 0)),
		sendInitial: o.SendInitialEvents, bookmarks: o.AllowWatchBookmarks,
	}
	if o.TimeoutSeconds != nil {
		s.timeout = *o.TimeoutSeconds
	}
	var err error
	if s.Labels, err = labels.Parse(o.LabelSelector); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if s.Fields, err = fields.ParseSelector(o.FieldSelector); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	for _, req := range s.Fields.Requirements() {
		if !q.kind.Selects(req.Field) {
			return nil, q.kind.UnknownField(req.Field)
		}
	}
	if q.name != "" {
		s.Fields = fields.AndSelectors(s.Fields, fields.OneTermEqualSelector("metadata.name", q.name))
	}
	// A limit at some resourceVersion without a match means Exact too, for the sake of old clients.
	if errs := validation.ValidateListOptions(&internalversion.ListOptions{
		Watch: q.watch, ResourceVersion: o.ResourceVersion, ResourceVersionMatch: o.ResourceVersionMatch, Continue: s.token,
		SendInitialEvents: s.sendInitial,
	}, true); len(errs) > 0 {
		return nil, apierrors.NewInvalid(metav1.SchemeGroupVersion.WithKind("ListOptions").GroupKind(), "", errs)
	}
	if s.rvGiven = o.ResourceVersion != ""; s.rvGiven {
		if s.rv, err = parseVersion(o.ResourceVersion); err != nil {
			if q.watch {
				return nil, err
			}
			return nil, apierrors.NewBadRequest("invalid resource version: " + err.Error())
		}
	}
	s.exact = o.ResourceVersionMatch == metav1.ResourceVersionMatchExact || (o.ResourceVersionMatch == "" && s.limit > 0 && s.rv > 0)
	return s, nil
}

func parseVersion(rv string) (uint64, error) {
	n, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return 0, field.Invalid(field.NewPath("resourceVersion"), rv, err.Error())
	}
	return n, nil
}

// truth reads a flag of a query as kube-apiserver does: it is set by any value but false and 0.
func truth(query url.Values, name string) bool {
	v, ok := query[name]
	return ok && len(v) > 0 && v[0] != "0" && !strings.EqualFold(v[0], "false")
}

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

func (h *handler) get(w http.ResponseWriter, r *http.Request, q *request) error {
	if rv := r.URL.Query().Get("resourceVersion"); rv != "" {
		asked, err := parseVersion(rv)
		if err != nil {
			return err
		}
		if err := h.store.Reached(asked); err != nil {
			return err
		}
	}
	o := h.store.Get(q.ref())
	if o == nil {
		return apierrors.NewNotFound(q.kind.GR(), q.name)
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
func (h *handler) page(k *kinds.Kind, s *selection) ([]*store.Object, metav1.ListMeta, error) {
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
