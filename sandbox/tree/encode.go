package tree

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"informerscope/internal/jsontext"
)

// Encoded is JSON that is ready, as a value among decoded ones: what many objects share is encoded once.
type Encoded []byte

// AppendJSON appends v, made of the types that JSON decoding yields (and string maps and string lists), with map keys
// sorted. It is several times faster than encoding/json here, which matters because it runs under the store's mutex.
func AppendJSON(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return jsontext.AppendString(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case Encoded:
		return append(dst, v...), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int32:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case float64:
		b, err := json.Marshal(v)
		return append(dst, b...), err
	case map[string]any:
		if v == nil {
			return append(dst, "null"...), nil
		}
		return AppendFields(dst, v, false)
	case []any:
		if v == nil {
			return append(dst, "null"...), nil
		}
		dst = append(dst, '[')
		var err error
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = AppendJSON(dst, e); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case map[string]string:
		dst = append(dst, '{')
		for i, k := range sortedKeys(make([]string, 0, 16), v) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsontext.AppendString(dst, k), ':')
			dst = jsontext.AppendString(dst, v[k])
		}
		return append(dst, '}'), nil
	default:
		return dst, fmt.Errorf("encode: unexpected type %T", v)
	}
}

// AppendFields appends the fields of m as an object. With skipType it leaves out the two type fields, which the caller
// has written already.
func AppendFields(dst []byte, m map[string]any, skipType bool) ([]byte, error) {
	var err error
	if !skipType {
		dst = append(dst, '{')
	}
	first := true
	for _, k := range sortedKeys(make([]string, 0, 16), m) {
		if skipType && (k == "apiVersion" || k == "kind") {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsontext.AppendString(dst, k), ':')
		if dst, err = AppendJSON(dst, m[k]); err != nil {
			return dst, fmt.Errorf("%s: %w", k, err)
		}
	}
	return append(dst, '}'), nil
}

func sortedKeys[V any](keys []string, m map[string]V) []string {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// MustMarshal encodes a Go value of a type that has JSON, such as those of the API, with encoding/json. It panics on others.
func MustMarshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// Equal compares decoded JSON by its encoding, so that nil and an empty map differ only when JSON tells them apart.
func Equal(a, b any) bool {
	x, err1 := AppendJSON(nil, a)
	y, err2 := AppendJSON(nil, b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}
