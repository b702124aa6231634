package server

import (
	"encoding/json"
	"net/http"

	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// serveReview answers what a client asks about itself: the bearer of the token is an administrator, who may do everything.
// It reports false for other paths.
func serveReview(w http.ResponseWriter, r *http.Request, path string) bool {
	var review any
	var answer func()
	switch path {
	case "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews":
		v := &authorization.SelfSubjectAccessReview{}
		review, answer = v, func() {
			v.TypeMeta = metav1.TypeMeta{Kind: "SelfSubjectAccessReview", APIVersion: "authorization.k8s.io/v1"}
			v.Status = authorization.SubjectAccessReviewStatus{Allowed: true, Reason: "the sandbox has one user, an administrator"}
		}
	case "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews":
		v := &authorization.SelfSubjectRulesReview{}
		review, answer = v, func() {
			v.TypeMeta = metav1.TypeMeta{Kind: "SelfSubjectRulesReview", APIVersion: "authorization.k8s.io/v1"}
			all := []string{"*"}
			v.Status = authorization.SubjectRulesReviewStatus{
				ResourceRules:    []authorization.ResourceRule{{Verbs: all, APIGroups: all, Resources: all}},
				NonResourceRules: []authorization.NonResourceRule{{Verbs: all, NonResourceURLs: all}},
			}
		}
	case "/apis/authentication.k8s.io/v1/selfsubjectreviews":
		v := &authentication.SelfSubjectReview{}
		review, answer = v, func() {
			v.TypeMeta = metav1.TypeMeta{Kind: "SelfSubjectReview", APIVersion: "authentication.k8s.io/v1"}
			v.Status.UserInfo = authentication.UserInfo{Username: "sandbox", Groups: []string{"system:masters", "system:authenticated"}}
		}
	default:
		return false
	}
	if r.Method != http.MethodPost {
		fail(w, r, notAllowed(r))
		return true
	}
	data, err := readJSON(r, nil)
	if err == nil && len(data) > 0 {
		if err = json.Unmarshal(data, review); err != nil {
			err = apierrors.NewBadRequest("decode the review: " + err.Error())
		}
	}
	if err != nil {
		fail(w, r, err)
		return true
	}
	answer()
	writeJSON(w, http.StatusCreated, review)
	return true
}
