package sandbox

import (
	"testing"

	"informerscope/sandbox/kinds"
)

func TestBookmarkNowForThoseWhoWantIt(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	with := w.watch(cms + "?watch=1&allowWatchBookmarks=true")
	without := w.watch(cms + "?watch=1")
	w.createConfigMap("a", "")
	with.expect("ADDED a")
	without.expect("ADDED a")
	s.Bookmark()
	typ, obj := with.next()
	if rv := rvOf(obj); typ != "BOOKMARK" || rv == "" || rv == "0" {
		t.Errorf("%s at rv %q", typ, rv)
	}
	w.createConfigMap("b", "")
	without.expect("ADDED b")
}

func TestRevokedRightsAreForbiddenUntilGranted(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	running := w.watch(cms + "?watch=1")
	s.Revoke(kinds.ConfigMaps.GR())
	for path, where := range map[string]string{
		cms:                  `cannot list resource "configmaps" in API group "" in the namespace "default"`,
		cms + "?watch=1":     `cannot watch resource "configmaps" in API group "" in the namespace "default"`,
		"/api/v1/configmaps": `cannot list resource "configmaps" in API group "" at the cluster scope`,
	} {
		code, body := w.do("GET", path, "")
		want := `configmaps is forbidden: User "informerscope" ` + where
		if code != 403 || body["reason"] != "Forbidden" || body["message"] != want {
			t.Errorf("GET %s: %d %v, want 403 %s", path, code, body, want)
		}
	}
	if code, _ := w.do("GET", "/api/v1/pods", ""); code != 200 {
		t.Errorf("another resource: %d", code)
	}
	w.createConfigMap("a", "") // writing was not revoked, and an open watch goes on
	running.expect("ADDED a")
	s.Grant(kinds.ConfigMaps.GR())
	if code, _ := w.do("GET", cms, ""); code != 200 {
		t.Errorf("after Grant: %d", code)
	}
}
