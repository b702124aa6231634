package server

import (
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

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
