package server

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/sandbox/kinds"
)

// negotiate picks the first representation in the Accept header that is served of k, or of no kind in particular for nil.
func negotiate(r *http.Request, k *kinds.Kind) (view, error) {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return view{pretty: wantsPretty(r)}, nil
	}
	type choice struct {
		view
		q float64
	}
	var choices []choice
	spoken := false // whether any type is served, if not as it is asked for
	for part := range strings.SplitSeq(accept, ",") {
		t, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		c := choice{q: 1}
		if q, err := strconv.ParseFloat(params["q"], 64); err == nil {
			c.q = q
		}
		switch t {
		case "application/json", "*/*", "application/*":
		case "application/yaml":
			c.yaml = true
		case runtime.ContentTypeProtobuf:
			// As in kube-apiserver, no Table in protobuf, as its cells have no fixed type, nor custom resources.
			if params["as"] == "Table" || (params["as"] == "" && k != nil && k.Custom()) {
				continue
			}
			c.protobuf = true
		default:
			continue
		}
		spoken = true
		switch params["as"] {
		case "":
		case "Table", "PartialObjectMetadata", "PartialObjectMetadataList":
			if params["g"] != metav1.GroupName || (params["v"] != "v1" && params["v"] != "v1beta1") {
				continue
			}
			c.as, c.version = strings.TrimSuffix(params["as"], "List"), params["v"]
			c.include = r.URL.Query().Get("includeObject")
		default:
			continue
		}
		choices = append(choices, c)
	}
	if len(choices) == 0 {
		return view{}, notAcceptable(spoken)
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		switch {
		case a.q > b.q:
			return -1
		case a.q < b.q:
			return 1
		}
		return 0
	})
	v := choices[0].view
	v.pretty = wantsPretty(r)
	if v.as == "Table" {
		switch metav1.IncludeObjectPolicy(v.include) {
		case "", metav1.IncludeNone, metav1.IncludeMetadata, metav1.IncludeObject:
		default:
			return view{}, apierrors.NewBadRequest(fmt.Sprintf("Unable to convert to Table as requested: includeObject: Invalid value: %q: "+
				"must be 'Metadata', 'Object', 'None', or empty", v.include))
		}
	}
	return v, nil
}

// wantsPretty says whether JSON should be indented: when the query asks for it, and for people who look at it in a
// browser or with a tool like curl.
func wantsPretty(r *http.Request) bool {
	if v, ok := r.URL.Query()["pretty"]; ok && len(v) > 0 {
		return v[0] == "true" || v[0] == "1"
	}
	agent := r.UserAgent()
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") || strings.HasPrefix(agent, "Mozilla/5.0")
}

// notAcceptable is the answer to an Accept header that names nothing served. spoken says that it names a type that is
// served, but in a form that is not.
func notAcceptable(spoken bool) error {
	const types = "application/json, application/yaml, " + runtime.ContentTypeProtobuf
	s := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusNotAcceptable, Reason: metav1.StatusReasonNotAcceptable,
		Message: "only the following media types are accepted: " + types}
	if !spoken {
		s.Details = &metav1.StatusDetails{}
		s.Message = "406: Not Acceptable\n\nAvailable representations: " + types +
			", application/json;stream=watch, " + runtime.ContentTypeProtobuf + ";stream=watch"
	}
	return &apierrors.StatusError{ErrStatus: s}
}
