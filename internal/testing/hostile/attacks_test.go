package hostile

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// attack is one of what is tried. run says how the program is called.
type attack struct {
	from, name string
	run        func(t *testing.T) call
}

// call is how an attack calls the program.
type call struct {
	args   []string
	stdin  string // a file; "" is none
	record string // a recording that the call writes
	// says is what a line of what the program prints has to contain.
	says string
	// strike is what a client does to a sandbox that has written the kubeconfig;
	// then ctrl+c is pressed.
	kubeconfig string
	strike     func(t *testing.T, client *http.Client, url string)
}

// attacks are all of them.
func attacks() (all []attack) {
	for _, d := range doors {
		for i, b := range behaviours("") {
			all = append(all, attack{"server", b.name + " at " + string(d), func(t *testing.T) call {
				other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
					t.Error("another server was asked")
				}))
				t.Cleanup(other.Close)
				return onServer(t, server{d: behaviours(other.URL)[i].do}, "pods")
			}})
		}
	}
	for _, b := range disclosures() {
		all = append(all, attack{"server", b.name + ", recorded", func(t *testing.T) call {
			c := onServer(t, server{watch: b.do}, "secrets", "--index", "jsonpath:{.data.password}", "--index", "jsonpath:{.metadata.annotations}", "--index", "jsonpath:{..plain}")
			c.record = filepath.Join(t.TempDir(), "a.rec")
			c.args = append(c.args, "--record", c.record)
			return c
		}})
	}
	for _, kind := range []string{"Secret", "ConfigMap"} {
		all = append(all, attack{"server", fmt.Sprintf("a list with a %s among the secrets", kind), func(t *testing.T) call {
			text := fmt.Sprintf(`{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[%s]}`, secret(kind))
			return onServer(t, server{list: body(200, text)}, "secrets", "--index", "jsonpath:{.data}")
		}})
	}
	return append(append(all, files()...), clients()...)
}

// onServer is a call that watches what on a server, with its events.
func onServer(t *testing.T, s server, what string, args ...string) call {
	t.Helper()
	api := httptest.NewServer(s)
	t.Cleanup(api.Close)
	t.Cleanup(api.CloseClientConnections)
	return call{args: append([]string{what, "--server", api.URL, "--token", token, "--kubeconfig", os.DevNull, "--events", "--max-response", "32Mi"}, args...)}
}

// files are attacks by what is opened.
func files() []attack {
	written := func(t *testing.T, name string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	replay := func(name, says string, content func() []byte) attack {
		return attack{"file", name, func(t *testing.T) call {
			return call{args: []string{"replay", written(t, "a.rec", content()), "-o", "json"}, says: says}
		}}
	}
	const magic = "\x89ISREC\x01\x00"
	scenario := func(name, says, text string) attack {
		return attack{"file", name, func(t *testing.T) call {
			return call{args: []string{"run", "-v", written(t, "a.yaml", []byte(text))}, says: says}
		}}
	}
	kubeconfig := func(name, says, text string) attack {
		return attack{"file", name, func(t *testing.T) call {
			return call{args: []string{"pods", "--kubeconfig", written(t, "config", []byte(text)), "-o", "json"}, says: says}
		}}
	}
	escaped := strconv.QuoteToASCII(strings.ToValidUTF8(nasty, ""))
	config := `{apiVersion: v1, kind: Config, clusters: [{name: %[1]s, cluster: {server: %[2]s}}], users: [{name: u, user: {token: ` + token + `}}], contexts: [{name: %[1]s, context: {cluster: %[1]s, user: u}}], current-context: %[1]s}`
	return []attack{
		{"file", "a recording that is /dev/zero", func(*testing.T) call {
			return call{args: []string{"replay", "/dev/zero", "-o", "json"}, says: "no recording"}
		}},
		{"file", "/dev/zero in a pipe", func(*testing.T) call {
			return call{args: []string{"replay", "-", "-o", "json"}, stdin: "/dev/zero", says: "no recording"}
		}},
		replay("a recording of 10 MB of frame markers", "damaged", func() []byte {
			return append([]byte(magic), bytes.Repeat([]byte("\xf7i"), 5<<20)...)
		}),
		replay("a recording of zeros", "damaged", func() []byte { return append([]byte(magic), make([]byte, 32<<20)...) }),
		replay("an empty recording", "no events", func() []byte { return nil }),
		scenario("terminal controls in a scenario", "", "title: "+escaped+"\nsteps:\n- say: "+escaped+"\n"),
		scenario("a scenario of a million aliases", "", "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ntitle: x\nsteps: [*f,*f,*f,*f,*f,*f]\n"),
		kubeconfig("terminal controls in a kubeconfig", "cannot reach", fmt.Sprintf(config, escaped, `"https://127.0.0.1:1"`)),
		kubeconfig("a server of a kubeconfig that is no address", "", fmt.Sprintf(config, "c", escaped)),
		kubeconfig("a password in a proxy-url that does not parse", "", strings.Replace(fmt.Sprintf(config, "c", `"https://127.0.0.1:1"`), "cluster: {", `cluster: {proxy-url: "http://u:`+password+`@[::1", `, 1)),
	}
}
