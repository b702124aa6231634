package server

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

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

// list is a collection. The client of ctx may leave while it is put together.
func (v view) list(ctx context.Context, k *kinds.Kind, items []*store.Object, meta metav1.ListMeta, now time.Time) ([]byte, error) {
	if v.protobuf {
		return v.protobufList(ctx, k, items, meta)
	}
	if v.as == "Table" {
		t := v.table(k.Table(), true)
		t.ListMeta = meta
		t.Rows = make([]metav1.TableRow, 0, len(items))
		for _, o := range items {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
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
		if err := ctx.Err(); err != nil {
			return nil, err
		}
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
