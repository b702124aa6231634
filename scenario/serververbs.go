package scenario

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"informerscope/journal"
)

// Server is the API server under the user's hand: the sandbox.
type Server interface {
	// Client writes as a user with all rights, on a connection of its own.
	Client() dynamic.Interface
	Mapper() meta.RESTMapper
	// Compact forgets the history: a watch from an older resourceVersion gets
	// 410.
	Compact()
	// Bookmark sends a bookmark now to every watch that allows them.
	Bookmark()
	// Revoke takes list and watch of a resource from the inspector's user, Grant
	// gives them back; "" is all resources.
	Revoke(resource schema.GroupResource)
	Grant(resource schema.GroupResource)
}

var errNoServer = errors.New("only with --sandbox: on a cluster this program only reads")

var (
	resourceArg = Arg{Name: "RESOURCE", Help: "such as configmap or deployments.apps", values: fixed("configmap", "pod", "deployment", "secret", "service", "namespace")}
	objectArg   = Arg{Name: "KEY", Help: "namespace/name, or a name in namespace default", values: storedKeys}
)

var serverVerbs = []Verb{
	{
		Name: "create", Group: GroupServer, Help: "create an object, with labels",
		Args: []Arg{resourceArg, {Name: "KEY", Help: "namespace/name, or a name in namespace default"}, {Name: "LABEL=VALUE", Optional: true, Rest: true}},
		do: onServer(func(c *call, r dynamic.ResourceInterface, o object) (string, error) {
			obj := o.minimal()
			labels := map[string]string{}
			for _, w := range c.args[2:] {
				k, v, ok := strings.Cut(w, "=")
				if !ok || k == "" {
					return "", fmt.Errorf("%q is no label: use LABEL=VALUE", w)
				}
				labels[k] = v
			}
			if len(labels) > 0 {
				obj.SetLabels(labels)
			}
			made, err := r.Create(c.ctx, obj, metav1.CreateOptions{})
			return o.said("created", made), err
		}),
	},
	{
		Name: "update", Group: GroupServer, Help: "change an object: an annotation, or what is named; data.NAME=VALUE and spec.FIELD=VALUE change that",
		Args: []Arg{resourceArg, objectArg, {Name: "ANNOTATION=VALUE", Optional: true, Rest: true}},
		do: onServer(func(c *call, r dynamic.ResourceInterface, o object) (string, error) {
			values := c.args[2:]
			if len(values) == 0 {
				values = []string{"informerscope/touched=" + c.s.Session.Now().UTC().Format("15:04:05.000000")}
			}
			return c.patch(r, o, "annotations", values)
		}),
	},
	{
		Name: "label", Group: GroupServer, Help: "set labels of an object; LABEL- takes one off",
		Args: []Arg{resourceArg, objectArg, {Name: "LABEL=VALUE", Rest: true}},
		do: onServer(func(c *call, r dynamic.ResourceInterface, o object) (string, error) {
			return c.patch(r, o, "labels", c.args[2:])
		}),
	},
	{
		Name: "delete", Group: GroupServer, Help: "delete an object",
		Args: []Arg{resourceArg, objectArg},
		do: onServer(func(c *call, r dynamic.ResourceInterface, o object) (string, error) {
			return o.said("deleted", nil), r.Delete(c.ctx, o.name, metav1.DeleteOptions{})
		}),
	},
	{Name: "compact", Group: GroupServer, Help: "forget the history: a watch from an older resourceVersion gets 410 Expired", do: plainServer("the history is gone", func(c *call) error {
		c.s.Server.Compact()
		return nil
	})},
	{Name: "bookmark", Group: GroupServer, Help: "send a bookmark now to every watch that allows them", do: plainServer("bookmarks are sent", func(c *call) error {
		c.s.Server.Bookmark()
		return nil
	})},
	{
		Name: "revoke", Group: GroupServer, Help: "take list and watch of a resource away: new requests get 403",
		Args: []Arg{{Name: "RESOURCE", Help: "the current one when left out", Optional: true}},
		do:   plainServer("new requests get 403 until grant; an open watch goes on", func(c *call) error { return c.rights(c.s.Server.Revoke) }),
	},
	{
		Name: "grant", Group: GroupServer, Help: "give list and watch back",
		Args: []Arg{{Name: "RESOURCE", Help: "the current one when left out", Optional: true}},
		do:   plainServer("requests are answered again", func(c *call) error { return c.rights(c.s.Server.Grant) }),
	},
}

func plainServer(said string, f func(*call) error) func(*call) (string, error) {
	return func(c *call) (string, error) {
		if c.s.Server == nil {
			return "", errNoServer
		}
		return said, f(c)
	}
}

// rights calls revoke or grant for the resource that the verb names.
func (c *call) rights(f func(schema.GroupResource)) error {
	name := c.arg(0)
	if name == "" {
		name = journal.BaseOf(c.resource)
	}
	gvr, err := c.gvr(name)
	if err != nil {
		return err
	}
	f(gvr.GroupResource())
	return nil
}

func (c *call) gvr(name string) (schema.GroupVersionResource, error) {
	gr := schema.ParseGroupResource(strings.ToLower(name))
	gvr, err := c.s.Server.Mapper().ResourceFor(gr.WithVersion(""))
	if err != nil {
		return gvr, fmt.Errorf("the server has no resource %q", name)
	}
	return gvr, nil
}

// object is what a verb of the server is about.
type object struct {
	kind            schema.GroupVersionKind
	resource        string
	namespace, name string
}

// onServer makes a verb's function of one that needs a client for the resource
// and object that the first two arguments name.
func onServer(f func(*call, dynamic.ResourceInterface, object) (string, error)) func(*call) (string, error) {
	return func(c *call) (string, error) {
		if c.s.Server == nil {
			return "", errNoServer
		}
		gvr, err := c.gvr(c.arg(0))
		if err != nil {
			return "", err
		}
		kind, err := c.s.Server.Mapper().KindFor(gvr)
		if err != nil {
			return "", err
		}
		mapping, err := c.s.Server.Mapper().RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return "", err
		}
		o := object{kind: kind, resource: gvr.Resource, name: c.arg(1)}
		client := dynamic.ResourceInterface(c.s.Server.Client().Resource(gvr))
		if namespace, name, ok := strings.Cut(c.arg(1), "/"); ok {
			o.namespace, o.name = namespace, name
		} else if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			o.namespace = metav1.NamespaceDefault
		}
		if mapping.Scope.Name() != meta.RESTScopeNameNamespace {
			if o.namespace != "" {
				return "", fmt.Errorf("%s have no namespace: name only %s", gvr.Resource, o.name)
			}
		} else {
			client = c.s.Server.Client().Resource(gvr).Namespace(o.namespace)
		}
		return f(c, client, o)
	}
}

func (o object) said(what string, made *unstructured.Unstructured) string {
	key := o.name
	if o.namespace != "" {
		key = o.namespace + "/" + o.name
	}
	s := what + " " + strings.ToLower(o.kind.Kind) + " " + key
	if made != nil {
		s += " at rv " + made.GetResourceVersion()
	}
	return s
}

// minimal is the least that the server takes of the usual kinds.
func (o object) minimal() *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(o.kind)
	u.SetName(o.name)
	u.SetNamespace(o.namespace)
	labels := map[string]any{"app": o.name}
	containers := map[string]any{"containers": []any{map[string]any{"name": "main", "image": "example.org/" + o.name + ":1"}}}
	switch o.kind.Kind {
	case "Pod":
		u.Object["spec"] = containers
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet":
		spec := map[string]any{
			"selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": containers},
		}
		if o.kind.Kind == "StatefulSet" {
			spec["serviceName"] = o.name
		}
		u.Object["spec"] = spec
	case "Job":
		spec := map[string]any{"restartPolicy": "Never", "containers": containers["containers"]}
		u.Object["spec"] = map[string]any{"template": map[string]any{"spec": spec}}
	case "Service":
		u.Object["spec"] = map[string]any{"selector": labels, "ports": []any{map[string]any{"port": int64(80)}}}
	}
	return u
}
