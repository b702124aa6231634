package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/utils/clock"
)

func TestPanicBecomesAStatus(t *testing.T) {
	// A handler without a store panics as soon as it looks for an object.
	h := New(nil, nil, Options{Token: "t", Clock: clock.RealClock{}})
	r := httptest.NewRequest("GET", "/api/v1/namespaces/default/configmaps/a", nil)
	r.Header.Set("Authorization", "Bearer t")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	if rec.Code != http.StatusInternalServerError || !strings.Contains(rec.Body.String(), `"reason":"InternalError"`) {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}
