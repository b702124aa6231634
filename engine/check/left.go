package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Gone is an object that a watch under a selector has told as DELETED.
type Gone struct {
	Key string
	UID types.UID // "" when it is not known any more
}

// Left is one of which only that is true that it left the selection.
type Left struct {
	Key string
	RV  string // that the server has it at
	Why string // "does not match app=web (app is db)"
}

// String is "default/a exists, does not match app=web (app is db)".
func (l Left) String() string { return l.Key + " exists, " + l.Why }

// StillThere asks the server for each of gone, one request each, and returns those
// that exist and do not match the selectors of s. To a watch with a selector an
// object that no longer matches is DELETED, with nothing that tells it from one that
// is gone. An object of the same name that was made anew is not one of them. The
// error is of the first request that fails; to get is a right of its own.
func StillThere(ctx context.Context, config *rest.Config, s Scope, gone []Gone) ([]Left, error) {
	if len(gone) == 0 {
		return nil, nil
	}
	selector, err := labels.Parse(s.LabelSelector)
	if err != nil {
		return nil, err
	}
	client, err := clientFor(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, ListTimeout, errSlow)
	defer cancel()
	var left []Left
	for _, g := range gone {
		one := s
		namespace, name, err := cache.SplitMetaNamespaceKey(g.Key)
		if err != nil {
			return left, err
		}
		one.Namespace = namespace
		body, err := client.Get().AbsPath(append(path(one), name)...).SetHeader("Accept", acceptOne).Do(ctx).Raw()
		switch {
		case apierrors.IsNotFound(err):
			continue
		case err != nil:
			return left, explain(ctx, "get", s.GVR.Resource+" "+g.Key, err)
		}
		var o metav1.PartialObjectMetadata
		if err := json.Unmarshal(body, &o); err != nil {
			return left, fmt.Errorf("the answer is no JSON that can be read: %w", err)
		}
		if g.UID != "" && o.UID != g.UID {
			continue
		}
		if why := mismatch(selector, s.FieldSelector, o.Labels); why != "" {
			left = append(left, Left{Key: g.Key, RV: o.ResourceVersion, Why: why})
		}
	}
	return left, nil
}

// mismatch says why an object is not selected, "" when it may be. The values of
// fields are not in metadata.
func mismatch(selector labels.Selector, fields string, set labels.Set) string {
	var not, is []string
	all, _ := selector.Requirements()
	for _, r := range all {
		if r.Matches(set) {
			continue
		}
		not = append(not, r.String())
		if v, ok := set[r.Key()]; ok {
			is = append(is, r.Key()+" is "+v)
		} else {
			is = append(is, "it has no "+r.Key())
		}
	}
	switch {
	case len(not) > 0:
		return fmt.Sprintf("does not match %s (%s)", strings.Join(not, ","), strings.Join(is, ", "))
	case fields != "":
		return "does not match " + fields
	}
	return ""
}
