package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"unicode"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
)

func createOptions(r *http.Request) (rest.Options, error) {
	var o metav1.CreateOptions
	values := r.URL.Query()
	if err := metav1.Convert_url_Values_To_v1_CreateOptions(&values, &o, nil); err != nil {
		return rest.Options{}, apierrors.NewBadRequest(err.Error())
	}
	return writeOptionsOf(r, metav1.PatchOptions{DryRun: o.DryRun, FieldManager: o.FieldManager, FieldValidation: o.FieldValidation},
		"CreateOptions", metavalidation.ValidateCreateOptions(&o))
}

func updateOptions(r *http.Request) (rest.Options, error) {
	var o metav1.UpdateOptions
	values := r.URL.Query()
	if err := metav1.Convert_url_Values_To_v1_UpdateOptions(&values, &o, nil); err != nil {
		return rest.Options{}, apierrors.NewBadRequest(err.Error())
	}
	return writeOptionsOf(r, metav1.PatchOptions{DryRun: o.DryRun, FieldManager: o.FieldManager, FieldValidation: o.FieldValidation},
		"UpdateOptions", metavalidation.ValidateUpdateOptions(&o))
}

func patchOptions(r *http.Request, t types.PatchType) (rest.Options, error) {
	var o metav1.PatchOptions
	values := r.URL.Query()
	if err := metav1.Convert_url_Values_To_v1_PatchOptions(&values, &o, nil); err != nil {
		return rest.Options{}, apierrors.NewBadRequest(err.Error())
	}
	return writeOptionsOf(r, o, "PatchOptions", metavalidation.ValidatePatchOptions(&o, t))
}

func writeOptionsOf(r *http.Request, o metav1.PatchOptions, name string, errs field.ErrorList) (rest.Options, error) {
	if len(errs) > 0 {
		return rest.Options{}, invalidOptions(name, errs)
	}
	return rest.Options{
		DryRun:          len(o.DryRun) > 0,
		FieldValidation: o.FieldValidation,
		Manager:         managerOf(o.FieldManager, r.UserAgent()),
		Force:           o.Force != nil && *o.Force,
	}, nil
}

func invalidOptions(name string, errs field.ErrorList) error {
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: name}, "", errs)
}

// deleteOptions are in the body; in the query if there is none.
func deleteOptions(r *http.Request) (*metav1.DeleteOptions, error) {
	opts := &metav1.DeleteOptions{}
	data, err := readJSON(r, nil)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 {
		err = decodeDeleteOptions(data, opts)
	} else {
		err = deleteOptionsOfQuery(r.URL.Query(), opts)
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if errs := metavalidation.ValidateDeleteOptions(opts); len(errs) > 0 {
		return nil, invalidOptions("DeleteOptions", errs)
	}
	return opts, nil
}

func deleteOptionsOfQuery(values url.Values, opts *metav1.DeleteOptions) error {
	return metav1.Convert_url_Values_To_v1_DeleteOptions(&values, opts, nil)
}

func decodeDeleteOptions(data []byte, opts *metav1.DeleteOptions) error {
	got, err := kjson.DefaultMetaFactory.Interpret(data)
	if err != nil {
		return err
	}
	if got.Kind != "" && got.Kind != "DeleteOptions" {
		return kinds.NotRegistered(*got)
	}
	return json.Unmarshal(data, opts)
}

// managerOf is the name that a write goes under in managedFields: the one that the client gave, or the first word of
// what it calls itself, and never empty.
func managerOf(given, userAgent string) string {
	if given != "" {
		return given
	}
	name := make([]rune, 0, 32)
	size := 0
	for _, r := range userAgent {
		if r == '/' {
			break
		}
		if !unicode.IsPrint(r) {
			continue
		}
		if size += len(string(r)); size > metavalidation.FieldManagerMaxLength {
			break
		}
		name = append(name, r)
	}
	if len(name) == 0 {
		return "unknown"
	}
	return string(name)
}
