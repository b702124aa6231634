package sandbox

import (
	"encoding/json"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/kinds"
)

// writeOptions are what the query of a write says.
type writeOptions struct {
	dryRun          bool
	fieldValidation string
	// manager is who writes, for managedFields; with "" they stay as they are.
	manager string
	// force has an apply take fields over from other managers.
	force bool
	// applied says that managedFields are up to date, since an apply made the content.
	applied bool
}

func createOptions(r *http.Request) (writeOptions, error) {
	var o metav1.CreateOptions
	values := r.URL.Query()
	if err := metav1.Convert_url_Values_To_v1_CreateOptions(&values, &o, nil); err != nil {
		return writeOptions{}, apierrors.NewBadRequest(err.Error())
	}
	return writeOptionsOf(r, metav1.PatchOptions{DryRun: o.DryRun, FieldManager: o.FieldManager, FieldValidation: o.FieldValidation},
		"CreateOptions", metavalidation.ValidateCreateOptions(&o))
}

func updateOptions(r *http.Request) (writeOptions, error) {
	var o metav1.UpdateOptions
	values := r.URL.Query()
	if err := metav1.Convert_url_Values_To_v1_UpdateOptions(&values, &o, nil); err != nil {
		return writeOptions{}, apierrors.NewBadRequest(err.Error())
	}
	return writeOptionsOf(r, metav1.PatchOptions{DryRun: o.DryRun, FieldManager: o.FieldManager, FieldValidation: o.FieldValidation},
		"UpdateOptions", metavalidation.ValidateUpdateOptions(&o))
}

func patchOptions(r *http.Request, t types.PatchType) (writeOptions, error) {
	var o metav1.PatchOptions
	values := r.URL.Query()
	if err := metav1.Convert_url_Values_To_v1_PatchOptions(&values, &o, nil); err != nil {
		return writeOptions{}, apierrors.NewBadRequest(err.Error())
	}
	return writeOptionsOf(r, o, "PatchOptions", metavalidation.ValidatePatchOptions(&o, t))
}

func writeOptionsOf(r *http.Request, o metav1.PatchOptions, name string, errs field.ErrorList) (writeOptions, error) {
	if len(errs) > 0 {
		return writeOptions{}, invalidOptions(name, errs)
	}
	return writeOptions{
		dryRun:          len(o.DryRun) > 0,
		fieldValidation: o.FieldValidation,
		manager:         managerOf(o.FieldManager, r.UserAgent()),
		force:           o.Force != nil && *o.Force,
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
