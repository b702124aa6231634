package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// The constants name cached binaries; if they were behind servers/go.mod, an upgrade would go on testing the old ones.
func TestVersionsAreThoseOfServers(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(ModuleDir(), "servers", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\tk8s.io/kubernetes " + KubernetesVersion, "\tgo.etcd.io/etcd/server/v3 " + EtcdVersion} {
		if !strings.Contains(string(data), want) {
			t.Errorf("servers/go.mod does not require %s", strings.TrimSpace(want))
		}
	}
}

func TestServerIsOfTheVersionThatWasBuilt(t *testing.T) {
	client := clientOf(t, Shared(t), Admin)
	got, err := client.Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	if got.GitVersion != KubernetesVersion {
		t.Errorf("it says %s, want %s", got.GitVersion, KubernetesVersion)
	}
}

func TestAdminMayEverythingAndReaderNothing(t *testing.T) {
	c := Shared(t)
	for user, want := range map[User]bool{Admin: true, Reader: false} {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "list", Resource: "configmaps"}}}
		got, err := clientOf(t, c, user).AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Status.Allowed != want {
			t.Errorf("%s may list: %t, want %t", user, got.Status.Allowed, want)
		}
	}
	_, err := clientOf(t, c, Reader).CoreV1().ConfigMaps("default").List(t.Context(), metav1.ListOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("the reader lists: %v, want 403", err)
	}
}

func TestObjectsOutliveTheAPIServer(t *testing.T) {
	c := Shared(t)
	client := clientOf(t, c, Admin)
	ns, err := client.CoreV1().Namespaces().Create(t.Context(), namespaceNamed("outlives"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.StopAPIServer(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Namespaces().Get(t.Context(), ns.Name, metav1.GetOptions{}); err == nil {
		t.Error("a stopped server answers")
	}
	if err := c.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := client.CoreV1().Namespaces().Get(t.Context(), ns.Name, metav1.GetOptions{})
	if err != nil || got.UID != ns.UID {
		t.Errorf("after the start: %v, %v", got, err)
	}
}

func clientOf(t *testing.T, c *Cluster, u User) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config(u))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func namespaceNamed(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
