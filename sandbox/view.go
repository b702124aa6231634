package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tables"
	"informerscope/sandbox/tree"
)

// view is the representation that a client chose with its Accept header.
type view struct {
	// kind is what the objects are shown as.
	kind *kinds.Kind
	// as is "", "Table" or "PartialObjectMetadata"; version is the meta.k8s.io version of the latter two.
	as, version    string
	yaml, protobuf bool
	// pretty indents JSON, but not in a watch.
	pretty bool
	// include says what rows of a Table carry: Metadata (or empty), Object or None.
	include string
}

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

func (v view) contentType() string {
	switch {
	case v.yaml:
		return "application/yaml"
	case v.protobuf:
		return runtime.ContentTypeProtobuf
	}
	return "application/json"
}

// object is one object for GET and for the answers to writes.
func (v view) object(o *store.Object, now time.Time) ([]byte, error) {
	data, err := v.encode(o, now, true)
	if err != nil || v.protobuf {
		return data, err
	}
	return v.finish(data)
}

// encode is an object as JSON or protobuf; header asks for column definitions if it is a Table.
func (v view) encode(o *store.Object, now time.Time, header bool) ([]byte, error) {
	if v.protobuf {
		return v.protobufObject(o)
	}
	switch v.as {
	case "Table":
		t := v.table(v.kind.Table(), header)
		t.ResourceVersion = strconv.FormatUint(o.RV(), 10)
		row, err := v.row(o, now)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
		return json.Marshal(t)
	case "PartialObjectMetadata":
		return v.partial(o)
	}
	return o.As(v.kind), nil
}

func (v view) finish(data []byte) ([]byte, error) {
	if v.yaml {
		return yaml.JSONToYAML(data)
	}
	if v.pretty {
		var b bytes.Buffer
		if err := json.Indent(&b, data, "", "  "); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	}
	return append(slices.Clip(data), '\n'), nil
}

// list is a collection.
func (v view) list(k *kinds.Kind, items []*store.Object, meta metav1.ListMeta, now time.Time) ([]byte, error) {
	if v.protobuf {
		return v.protobufList(k, items, meta)
	}
	if v.as == "Table" {
		t := v.table(k.Table(), true)
		t.ListMeta = meta
		t.Rows = make([]metav1.TableRow, 0, len(items))
		for _, o := range items {
			row, err := v.row(o, now)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, row)
		}
		data, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		return v.finish(data)
	}
	parts := make([]any, 0, len(items))
	for _, o := range items {
		part, err := v.element(o)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	apiVersion, listKind := k.APIVersion(), k.ListKind()
	if v.as != "" {
		apiVersion, listKind = metav1.GroupName+"/"+v.version, "PartialObjectMetadataList"
	}
	data, err := tree.AppendJSON(nil, map[string]any{"kind": listKind, "apiVersion": apiVersion, "metadata": tree.Encoded(v.listMeta(k, meta)), "items": parts})
	if err != nil {
		return nil, err
	}
	return v.finish(data)
}

// listMeta is the metadata of a list. That of custom resources has a continue token even when it is empty.
func (v view) listMeta(k *kinds.Kind, meta metav1.ListMeta) []byte {
	if !k.Custom() || v.as != "" || meta.Continue != "" {
		return tree.MustMarshal(meta)
	}
	return tree.MustMarshal(map[string]any{"continue": "", "resourceVersion": meta.ResourceVersion})
}

// element is an object as an element of a list.
func (v view) element(o *store.Object) (tree.Encoded, error) {
	if v.as != "" {
		return v.partial(o)
	}
	if o.Kind().Custom() {
		return o.As(v.kind), nil
	}
	return append([]byte{'{'}, o.As(v.kind)[len(v.kind.Prefix()):]...), nil
}

// bookmark is the object of a bookmark event.
func (v view) bookmark(k *kinds.Kind, rv uint64, initial bool) ([]byte, error) {
	if v.protobuf {
		return v.protobufBookmark(k, rv, initial)
	}
	meta := map[string]any{"resourceVersion": strconv.FormatUint(rv, 10)}
	if initial {
		meta["annotations"] = map[string]any{metav1.InitialEventsAnnotationKey: "true"}
	}
	switch v.as {
	case "Table":
		t := v.table(k.Table(), false)
		t.ResourceVersion = strconv.FormatUint(rv, 10)
		row := metav1.TableRow{Cells: make([]any, len(k.Table().Columns()))}
		partial := map[string]any{"kind": "PartialObjectMetadata", "apiVersion": metav1.GroupName + "/" + v.version, "metadata": meta}
		raw, err := tree.AppendJSON(nil, partial)
		if err != nil {
			return nil, err
		}
		row.Object.Raw = raw
		t.Rows = append(t.Rows, row)
		return json.Marshal(t)
	case "PartialObjectMetadata":
		return tree.AppendJSON(nil, map[string]any{"kind": v.as, "apiVersion": metav1.GroupName + "/" + v.version, "metadata": meta})
	}
	return tree.AppendJSON(nil, map[string]any{"kind": k.GVK().Kind, "apiVersion": k.APIVersion(), "metadata": meta})
}

func (v view) table(f *tables.Format, header bool) *metav1.Table {
	t := &metav1.Table{TypeMeta: metav1.TypeMeta{Kind: "Table", APIVersion: metav1.GroupName + "/" + v.version}}
	if header {
		t.ColumnDefinitions = f.Columns()
	}
	return t
}

func (v view) row(o *store.Object, now time.Time) (metav1.TableRow, error) {
	content := o.Content()
	row := metav1.TableRow{Cells: v.kind.Table().Row(content, now)}
	var err error
	switch v.include {
	case string(metav1.IncludeNone):
	case string(metav1.IncludeObject):
		row.Object.Raw = o.As(v.kind)
	default:
		row.Object.Raw, err = v.partial(o)
	}
	return row, err
}

func (v view) partial(o *store.Object) ([]byte, error) {
	return tree.AppendJSON(nil, map[string]any{
		"kind": "PartialObjectMetadata", "apiVersion": metav1.GroupName + "/" + v.version, "metadata": o.Content()["metadata"]})
}
