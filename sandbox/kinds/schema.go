package kinds

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"
	openapivalidate "k8s.io/kube-openapi/pkg/validation/validate"
	kjson "sigs.k8s.io/json"

	"informerscope/sandbox/tree"
)

// prune takes out of content what the schema, or metadata, does not know, and reports it.
func (c *custom) prune(content map[string]any) (unknown []error, err error) {
	if unknown, err = coerceMeta(content); err != nil {
		return nil, err
	}
	for _, path := range pruning.PruneWithOptions(content, c.schema, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		unknown = append(unknown, fmt.Errorf("unknown field %q", path))
	}
	return unknown, nil
}

// coerceMeta has metadata hold what every object's metadata may hold, and reports what else was there.
func coerceMeta(content map[string]any) (unknown []error, err error) {
	raw, ok := content["metadata"]
	if !ok {
		return nil, nil
	}
	data, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	var om metav1.ObjectMeta
	strict, err := kjson.UnmarshalStrict(data, &om)
	if err != nil {
		return nil, err
	}
	for _, e := range strict {
		unknown = append(unknown, errors.New(strings.Replace(e.Error(), `field "`, `field "metadata.`, 1)))
	}
	content["metadata"], err = runtime.DefaultUnstructuredConverter.ToUnstructured(&om)
	return unknown, err
}

// SetDefaults fills in the defaults of the schema.
func (c *custom) setDefaults(content map[string]any) { defaultStructural(content, c.schema) }

func defaultStructural(value any, s *structural.Structural) {
	if s == nil {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for name, p := range s.Properties {
			cur, have := v[name]
			if p.Default.Object != nil && (!have || cur == nil && !p.Nullable) {
				v[name] = runtime.DeepCopyJSONValue(p.Default.Object)
			}
		}
		for name := range v {
			if p, ok := s.Properties[name]; ok {
				defaultStructural(v[name], &p)
			} else if more := s.AdditionalProperties; more != nil {
				defaultStructural(v[name], more.Structural)
			}
		}
	case []any:
		for i := range v {
			defaultStructural(v[i], s.Items)
		}
	}
}

// Validate checks content against the schema.
func (c *custom) validate(content map[string]any) field.ErrorList {
	var errs field.ErrorList
	for _, err := range c.validator.Validate(content).Errors {
		errs = append(errs, schemaError(nil, err))
	}
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, c.schema, content)...)
	for _, path := range [][]string{c.replicas, c.statusReplicas} {
		if len(path) == 0 {
			continue
		}
		last := len(path) - 1
		if n := tree.Int(tree.Map(content, path[:last]...), path[last]); n < 0 {
			errs = append(errs, field.Invalid(field.NewPath("."+strings.Join(path, ".")), n, "should be a non-negative integer"))
		}
	}
	return errs
}

// ValidateStatus checks the status alone, which is all that a write of it changes.
func (c *custom) validateStatus(status any) field.ErrorList {
	if c.status == nil || status == nil {
		return nil
	}
	var errs field.ErrorList
	for _, err := range c.status.Validate(status).Errors {
		errs = append(errs, schemaError(field.NewPath("status"), err))
	}
	return errs
}

// schemaError words a violation of the schema of what is at path as kube-apiserver does.
func schemaError(path *field.Path, err error) *field.Error {
	var v *openapierrors.Validation
	if !errors.As(err, &v) {
		return field.Invalid(path, "", err.Error())
	}
	if name := strings.TrimPrefix(v.Name, "."); name != "" {
		path = path.Child(name)
	}
	value := v.Value
	if value == nil {
		value = ""
	}
	count := func(x any) int { n, _ := x.(int64); return int(n) }
	switch v.Code() {
	case openapierrors.RequiredFailCode:
		return field.Required(path, "")
	case openapierrors.EnumFailCode:
		allowed := make([]string, len(v.Values))
		for i, a := range v.Values {
			var ok bool
			if allowed[i], ok = a.(string); !ok {
				text, _ := json.Marshal(a) // it was decoded from JSON
				allowed[i] = string(text)
			}
		}
		return field.NotSupported(path, v.Value, allowed)
	case openapierrors.TooLongFailCode:
		return field.TooLong(path, "", count(v.Valid))
	case openapierrors.MaxItemsFailCode, openapierrors.TooManyPropertiesCode:
		return field.TooMany(path, count(v.Value), count(v.Valid))
	case openapierrors.InvalidTypeCode:
		return field.TypeInvalid(path, value, err.Error())
	}
	return field.Invalid(path, value, err.Error())
}

// custom is what a CustomResourceDefinition says of one version of its kind. It never changes.
type custom struct {
	// definition is the name of the CustomResourceDefinition.
	definition string
	schema     *structural.Structural
	openAPI    *spec.Schema
	validator  *openapivalidate.SchemaValidator
	// status validates the status alone; nil if the schema has none.
	status *openapivalidate.SchemaValidator
	// types knows how the fields merge in server-side apply, in every version.
	types managedfields.TypeConverter
	// replicas, statusReplicas and selector are the paths of the scale subresource; the last may be empty.
	replicas, statusReplicas, selector []string
}
