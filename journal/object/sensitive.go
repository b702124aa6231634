package object

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// sensitiveNames are parts of the names of annotations that hold credentials.
var sensitiveNames = []string{"token", "password", "passwd", "secret", "credential", "apikey", "api-key", "private-key", "privatekey"}

// sensitiveValue matches a JWT, an Authorization header's credentials, and a
// private key.
var sensitiveValue = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}|(?i:\b(bearer|basic)\s+[A-Za-z0-9+/._~-]{8,})|-----BEGIN [A-Z ]*PRIVATE KEY-----`)

// Sensitive reports whether the value of an annotation is not to get out of
// the cluster: by its name, by what it looks like, or since it repeats the
// whole object.
func Sensitive(name, value string) bool {
	if name == lastApplied {
		return true
	}
	lower := strings.ToLower(name)
	for _, part := range sensitiveNames {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return strings.ContainsAny(value, ".- ") && sensitiveValue.MatchString(value)
}

// Tells reports whether obj has annotations that Masked would change.
func Tells(obj any) bool {
	m, err := meta.Accessor(obj)
	if err != nil {
		return false
	}
	for name, value := range m.GetAnnotations() {
		if Sensitive(name, value) {
			return true
		}
	}
	return false
}

// Masked is tree without what must not get into a file: it is a copy where
// something is.
func Masked(tree map[string]any, secret bool) map[string]any {
	return masked(tree, secret, unsigned)
}

// masked is Masked, with what sign makes of a hidden value beside what stands for it.
func masked(tree map[string]any, secret bool, sign func(value string) string) map[string]any {
	own := false
	set := func(key string, v any) {
		if !own {
			tree, own = maps.Clone(tree), true
		}
		tree[key] = v
	}
	if m, ok := tree["metadata"].(map[string]any); ok {
		if a, ok := m["annotations"].(map[string]any); ok {
			var safe map[string]any
			for name, value := range a {
				text, ok := value.(string)
				if !ok || Sensitive(name, text) {
					if safe == nil {
						safe = maps.Clone(a)
					}
					safe[name] = hidden + sign(text)
				}
			}
			if safe != nil {
				m = maps.Clone(m)
				m["annotations"] = safe
				set("metadata", m)
			}
		}
	}
	if secret {
		for _, field := range []string{"data", "stringData"} {
			if v, ok := tree[field]; ok && v != nil {
				set(field, hideValues(v, field == "data", sign))
			}
		}
	}
	return tree
}

// hideValues replaces the values of a Secret by how long they are.
func hideValues(v any, encoded bool, sign func(string) string) any {
	data, ok := v.(map[string]any)
	if !ok {
		return hidden // not what a Secret looks like
	}
	safe := make(map[string]any, len(data))
	for k, v := range data {
		s, _ := v.(string)
		if wasHidden.MatchString(s) {
			safe[k] = s
			continue
		}
		n := len(s)
		if b, err := base64.StdEncoding.DecodeString(s); err == nil && encoded {
			s, n = string(b), len(b)
		}
		safe[k] = Hidden(n) + sign(s)
	}
	return safe
}

// unsigned is the sign of what is only hidden.
func unsigned(string) string { return "" }

// unlike tells values apart that are hidden: equal ones have the same sign, within
// this process, whose key nobody has who has only what it wrote.
func unlike(value string) string {
	h := hmac.New(sha256.New, signKey())
	io.WriteString(h, value) // a hash takes everything
	return fmt.Sprintf(" #%x", h.Sum(nil)[:8])
}

// signKey is of this process only.
var signKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	rand.Read(key) // never fails
	return key
})

// MaskedTree is obj as the value of an index may have it: as Masked does, with a
// sign by which hidden values differ. It is nil when obj has nothing to hide.
func MaskedTree(obj any) map[string]any {
	obj = bare(obj)
	_, secret := obj.(*corev1.Secret)
	if u, ok := obj.(runtime.Unstructured); ok && u.GetObjectKind().GroupVersionKind().Kind == "Secret" {
		secret = true
	}
	if !secret && !Tells(obj) {
		return nil
	}
	tree, err := toTree(obj)
	if err != nil {
		return map[string]any{}
	}
	return masked(tree, secret, unlike)
}
