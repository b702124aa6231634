package apiscript

import (
	"encoding/json"
	"strings"
)

// Object is what the server sends of a ConfigMap.
type Object struct {
	Namespace, Name, RV string
	Labels              map[string]string
	Data                map[string]string
}

// ConfigMap returns an object from "namespace/name".
func ConfigMap(key, rv string) Object {
	namespace, name, ok := strings.Cut(key, "/")
	if !ok {
		namespace, name = "", key
	}
	return Object{Namespace: namespace, Name: name, RV: rv}
}

// Key is namespace/name.
func (o Object) Key() string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}

// At returns the object at another resourceVersion.
func (o Object) At(rv string) Object {
	o.RV = rv
	return o
}

// Label returns the object with one label, and no other.
func (o Object) Label(name, value string) Object {
	o.Labels = map[string]string{name: value}
	return o
}

// JSON is the object as the API server writes it.
func (o Object) JSON() string {
	meta := map[string]any{"name": o.Name, "resourceVersion": o.RV}
	if o.Namespace != "" {
		meta["namespace"] = o.Namespace
	}
	if o.Labels != nil {
		meta["labels"] = o.Labels
	}
	m := map[string]any{"kind": "ConfigMap", "apiVersion": "v1", "metadata": meta}
	if o.Data != nil {
		m["data"] = o.Data
	}
	return must(m)
}

// Failure is a metav1.Status that says no.
type Failure struct {
	Code       int
	Reason     string // metav1.StatusReason
	Message    string
	RetryAfter int    // seconds, of an HTTP answer and in the details
	Cause      string // metav1.CauseType
}

// Failures that every API server sends.
var (
	Expired         = Failure{Code: 410, Reason: "Expired", Message: "too old resource version"}
	TooManyRequests = Failure{Code: 429, Reason: "TooManyRequests", Message: "too many requests"}
	Internal        = Failure{Code: 500, Reason: "InternalError", Message: "an error on the server"}
	Unavailable     = Failure{Code: 503, Reason: "ServiceUnavailable", Message: "the server is currently unable to handle the request"}
	Forbidden       = Failure{Code: 403, Reason: "Forbidden", Message: "configmaps is forbidden"}
	NotAllowed      = Failure{Code: 405, Reason: "MethodNotAllowed", Message: "the server does not allow this method on the requested resource"}
	TooLargeRV      = Failure{Code: 504, Reason: "Timeout", Message: "Too large resource version", Cause: "ResourceVersionTooLarge"}
)

// After returns the failure with a Retry-After of so many seconds.
func (f Failure) After(seconds int) Failure {
	f.RetryAfter = seconds
	return f
}

// JSON is the Status as the API server writes it.
func (f Failure) JSON() string {
	m := map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Failure", "reason": f.Reason, "message": f.Message, "code": f.Code}
	details := map[string]any{}
	if f.RetryAfter > 0 {
		details["retryAfterSeconds"] = f.RetryAfter
	}
	if f.Cause != "" {
		details["causes"] = []any{map[string]any{"reason": f.Cause, "message": f.Message}}
	}
	if len(details) > 0 {
		m["details"] = details
	}
	return must(m)
}

func must(m map[string]any) string {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	return string(b)
}
