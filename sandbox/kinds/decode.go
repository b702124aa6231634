package kinds

import (
	"fmt"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"informerscope/sandbox/tree"
)

// Decode turns JSON into the content of an object of kind k: checked against the Go type or the schema of k, and with what
// that does not know left out. strictness is the value of fieldValidation; warnings are what Warn, the default, reports.
func (k *Kind) Decode(data []byte, strictness string) (content map[string]any, warnings []string, err error) {
	if k.custom != nil {
		return decodeCustom(k, data, strictness)
	}
	got, err := json.DefaultMetaFactory.Interpret(data)
	if err != nil {
		return nil, nil, k.Unrecognized(data, err)
	}
	want := k.GVK()
	if got.Kind == "" {
		got.Kind = want.Kind
	}
	if got.Version == "" && got.Group == "" {
		got.Group, got.Version = want.Group, want.Version
	}
	if *got != want {
		return nil, nil, misfit(k, *got)
	}
	obj, _, err := strictJSON.Decode(data, &want, k.New())
	if strict, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		if warnings, err = strictResult(k, strict.Errors(), strictness); err != nil {
			return nil, nil, err
		}
	}
	if err != nil {
		return nil, nil, unfit(want, k, err)
	}
	content, err = runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, nil, apierrors.NewInternalError(err)
	}
	return content, warnings, nil
}

// decodeCustom is Decode for a kind that a definition defines: what its schema does not know is pruned.
func decodeCustom(k *Kind, data []byte, strictness string) (content map[string]any, warnings []string, err error) {
	strict, err := kjson.UnmarshalStrict(data, &content)
	if err != nil {
		return nil, nil, k.Unrecognized(data, err)
	}
	if content == nil {
		content = map[string]any{}
	}
	kindName, apiVersion := tree.String(content, "kind"), tree.String(content, "apiVersion")
	switch {
	case kindName == "":
		return nil, nil, k.Unrecognized(data, runtime.NewMissingKindErr(string(data)))
	case apiVersion == "":
		return nil, nil, k.Unrecognized(data, runtime.NewMissingVersionErr(string(data)))
	case apiVersion != k.APIVersion():
		return nil, nil, wrongVersion(apiVersion, k)
	case kindName != k.kind:
		return nil, nil, apierrors.NewInvalid(k.GVK().GroupKind(), tree.String(tree.Meta(content), "name"),
			field.ErrorList{field.Invalid(field.NewPath("kind"), kindName, "must be "+k.kind)})
	}
	unknown, err := k.custom.prune(content)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", k.kind, k.version, k.kind, err))
	}
	warnings, err = strictResult(k, append(strict, unknown...), strictness)
	return content, warnings, err
}

// strictResult is what fieldValidation makes of unknown and repeated fields.
func strictResult(k *Kind, found []error, strictness string) (warnings []string, err error) {
	if len(found) == 0 || strictness == metav1.FieldValidationIgnore {
		return nil, nil
	}
	if strictness == metav1.FieldValidationStrict {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
			k.kind, k.version, k.kind, runtime.NewStrictDecodingError(found)))
	}
	for _, e := range found {
		warnings = append(warnings, e.Error())
	}
	return warnings, nil
}

// misfit is the answer to an object of type got where one of kind k should be.
func misfit(k *Kind, got schema.GroupVersionKind) error {
	typ, err := goTypes.New(got)
	switch {
	case err != nil:
		return unfit(got, k, NotRegistered(got))
	case got.Kind == k.kind && got.Group == k.group:
		return wrongVersion(got.GroupVersion().String(), k)
	}
	internal, _, _ := strings.Cut(k.group, ".")
	if internal == "" {
		internal = "core"
	}
	return unfit(got, k, fmt.Errorf("converting (%s) to (%s.%s): unknown conversion", reflect.TypeOf(typ).Elem(), internal, k.kind))
}

func unfit(got schema.GroupVersionKind, k *Kind, err error) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", got.Kind, got.Version, k.kind, err))
}

// Unrecognized is the answer to a body that does not say what it is.
func (k *Kind) Unrecognized(data []byte, err error) error {
	const most = 30
	head, more := data, ""
	if len(data) > most {
		head, more = data[:most], " ..."
	}
	summary := fmt.Sprintf("%x", head)
	if len(data) == 0 {
		summary = "<empty>"
	} else if data[0] == '{' {
		summary = string(head)
	}
	summary += more
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)", k.kind, err, summary))
}

func wrongVersion(got string, k *Kind) error {
	return apierrors.NewBadRequest(fmt.Sprintf(
		"the API version in the data (%s) does not match the expected API version (%s)", got, k.APIVersion()))
}

var strictJSON = json.NewSerializerWithOptions(json.DefaultMetaFactory, goTypes, goTypes,
	json.SerializerOptions{Strict: true})
