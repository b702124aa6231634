package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/engine"
	"informerscope/engine/guard"
)

// explain turns an error of a request into a failure that names the host, what
// was refused, and what to do. t is the target the request was for, nil for
// discovery.
func (c *cluster) explain(err error, t *engine.Target) error {
	var done *failure
	if errors.As(err, &done) {
		return err
	}
	what := "read what the server offers"
	if t != nil {
		what = "list " + t.Name
	}
	switch {
	case apierrors.IsUnauthorized(err):
		return failf(err, "the server at %s does not accept the credentials (401 Unauthorized): the token is expired, wrong or missing", c.host()).
			hint("log in again, or choose another user with --token, --user or --context").
			hint("`kubectl auth whoami` shows whether kubectl is let in")
	case apierrors.IsForbidden(err):
		return c.forbidden(err, t)
	case apierrors.IsBadRequest(err) && t != nil && (t.FieldSelector != "" || t.LabelSelector != ""):
		return failf(err, "the server at %s does not accept the selector for %s: %s", c.host(), t.Name, serverMessage(err)).
			hint("fields that every resource has are metadata.name and metadata.namespace")
	case apierrors.IsNotFound(err) && t != nil:
		return failf(err, "the server at %s does not serve %s: %s", c.host(), t.GVR.GroupVersion().WithResource(t.GVR.Resource).String(), serverMessage(err)).
			hint("`kubectl api-resources` shows what it serves")
	case apierrors.IsTooManyRequests(err), apierrors.IsServiceUnavailable(err), apierrors.IsServerTimeout(err),
		apierrors.IsTimeout(err), apierrors.IsInternalError(err):
		return failf(err, "the server at %s could not %s now: %s", c.host(), what, serverMessage(err)).
			hint("try again; `kubectl get --raw /readyz` shows its health")
	}
	return c.unreachable(err, what)
}

// refusedVerb finds in the server's words what it does not allow.
var refusedVerb = regexp.MustCompile(`User "([^"]*)" cannot (\w+) `)

func (c *cluster) forbidden(err error, t *engine.Target) error {
	if t == nil {
		return failf(err, "the server at %s does not let you read what it offers (403 Forbidden)", c.host()).
			hint("ask for the role system:discovery, or choose another user with --user, --as or --context")
	}
	who, verb := "you", "list"
	if m := refusedVerb.FindStringSubmatch(err.Error()); m != nil {
		who, verb = "user "+m[1], m[2]
	}
	where, flag := "in all namespaces", " -A"
	if t.Namespace != "" {
		where, flag = "in namespace "+t.Namespace, " -n "+t.Namespace
	}
	f := failf(err, "%s may not %s %s %s (403 Forbidden)", who, verb, t.Name, where).
		hint("check with `kubectl auth can-i %s %s%s`; an informer needs list and watch", verb, t.GVR.GroupResource(), flag)
	if t.Namespace == "" {
		return f.hint("a single namespace may be allowed: -n NAMESPACE")
	}
	return f.hint("choose another namespace (-n) or another user (--as, --user, --context)")
}

// serverMessage is what the server said, without client-go's wrapping.
func serverMessage(err error) string {
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Message != "" {
		return oneLine(status.Status().Message)
	}
	return oneLine(err.Error())
}

// answered says what came last of the server, "" when nothing has.
func (c *cluster) answered() string {
	if c.guard == nil {
		return ""
	}
	a := c.guard.Last()
	if a == nil {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintf("HTTP %d, %s", a.Code, a.ContentType), ", ")
}

// unreachable explains errors without any answer of an API server.
func (c *cluster) unreachable(err error, what string) error {
	var (
		dns     *net.DNSError
		netErr  net.Error
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		status  apierrors.APIStatus
	)
	text := oneLine(err.Error())
	var redirect *guard.RedirectError
	var large *guard.TooLargeError
	switch {
	case errors.As(err, &redirect):
		return failf(err, "%s", redirect).
			hint("name the right server with --server or --context: `kubectl config view --minify` shows the one that was asked")
	case errors.As(err, &large):
		return failf(err, "could not %s: %s", what, large)
	case errors.As(err, &unknown):
		return failf(err, "the certificate of %s is signed by an unknown authority", c.host()).
			hint("name its CA with --certificate-authority FILE, or check that the kubeconfig belongs to this cluster")
	case errors.As(err, &name), errors.As(err, &invalid):
		return failf(err, "the certificate of %s is not valid for it: %s", c.host(), text[max(0, strings.LastIndex(text, "x509: ")):]).
			hint("check the server address and the clock; --tls-server-name NAME if the certificate has another name")
	case strings.Contains(text, "getting credentials:"):
		return failf(err, "the kubeconfig's credential plugin failed: %s", text).
			hint("run `kubectl auth whoami` to see its messages, or log in again")
	case errors.Is(err, context.Canceled):
		return failf(err, "interrupted")
	case errors.As(err, &dns):
		text = "its name cannot be resolved"
	case errors.Is(err, syscall.ECONNREFUSED):
		text = "connection refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		text = "no route to host"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		text = "no answer in time"
	case strings.Contains(text, http.ErrSchemeMismatch.Error()), strings.Contains(text, "first record does not look like a TLS handshake"):
		text = "it speaks plain HTTP, not HTTPS"
	case errors.As(err, &status):
		return failf(err, "the server at %s could not %s: %s", c.host(), what, serverMessage(err))
	case c.answered() != "":
		return failf(err, "the server at %s was reached, but does not answer as a Kubernetes API server does (%s): %s", c.host(), c.answered(), text).
			hint("is that its address, and not the one of a dashboard, a proxy or a login page? `kubectl cluster-info` shows it")
	}
	return failf(err, "cannot reach the API server at %s: %s", c.host(), text).
		hint("is the cluster running, and the network or VPN up? check with `kubectl cluster-info`").
		hint("--context and --kubeconfig choose another cluster, --sandbox needs none")
}
