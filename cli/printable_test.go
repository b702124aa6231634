package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"informerscope/internal/printable"
)

const nasty = "\x1b]52;c;aGk=\x07\x1b]0;owned\x07\u009b31m\u202egnp"

// What a server says reaches standard error as text only.
func TestAnErrorOfTheServerIsOnlyText(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"` + strings.ReplaceAll(nasty, "\x1b", `\u001b`) + `"}`))
	}))
	defer server.Close()
	r := commandContext(t.Context(), "pods", "--server", server.URL, "--kubeconfig", os.DevNull, "-o", "json")
	if r.code != exitFailure {
		t.Errorf("exit code %d", r.code)
	}
	onlyText(t, r)
}

// The texts of a scenario file reach standard output as text only.
func TestAScenarioIsOnlyText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	quoted := `"` + strings.NewReplacer("\x1b", `\e`, "\x07", `\a`).Replace(nasty) + `"`
	if err := os.WriteFile(path, []byte("title: "+quoted+"\nsteps:\n- say: "+quoted+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", path, "-v"}, {"run", path, "--check"}, {"run", path + nasty}, {"pods", "--context", nasty}, {"pods", "--pace", nasty}, {nasty}} {
		onlyText(t, commandContext(t.Context(), args...))
	}
}

func onlyText(t *testing.T, r result) {
	t.Helper()
	got := r.out + r.err
	if got == "" || got != printable.Text(got) {
		t.Errorf("a terminal gets %q", got)
	}
}
