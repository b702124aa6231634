package sandbox

import "k8s.io/apimachinery/pkg/util/managedfields"

// custom is what a CustomResourceDefinition says of one version of its kind.
type custom struct {
	// types knows how the fields merge in server-side apply.
	types managedfields.TypeConverter
}
