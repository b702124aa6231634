package findings

// failureCauses are the likely causes of requests that fail, by what the server or
// the connection said.
var failureCauses = []textCause{
	{[]string{"401", "unauthorized"}, Cause{"the token has run out, or its service account is gone: client-go reads a token file anew each minute, and a token that stands in the config never", "the server answers 401 Unauthorized"}},
	{[]string{"403", "forbidden"}, Cause{"a role or its binding does not allow list and watch here, or no longer", "the server answers 403 Forbidden"}},
	{[]string{"404", "not found", "could not find"}, Cause{"the CRD is not installed, or no longer, or this version of it is not served", "the server answers 404 Not Found"}},
	{[]string{"410", "expired", "too old resource version"}, Cause{"the server's history is shorter than what the Reflector has missed", "the server answers 410 Expired"}},
	{[]string{"429", "too many requests"}, Cause{"the server sheds load: see the FlowSchema and priority level of this client, and what else it sends", "the server answers 429 Too Many Requests"}},
	{[]string{"500", "internal error", "internal server error"}, Cause{"the server fails: an encryption key, a conversion webhook or etcd behind it", "the server answers 500"}},
	{[]string{"502", "503", "bad gateway", "service unavailable", "serviceunavailable"}, Cause{"what serves this group is down: an aggregated API server, or the API server behind a load balancer", "the server answers 502 or 503"}},
	{[]string{"504", "gateway timeout", "resourceversiontoolarge", "too large resource version"}, Cause{"this API server is behind the one that was asked before, or what it asks itself does not answer", "the server answers 504"}},
	{[]string{"connection refused"}, Cause{"nothing listens there: the API server is down or restarting, or its address has changed", "the connection is refused"}},
	{[]string{"no such host", "server misbehaving"}, Cause{"the name of the server is not known to DNS", "the name is not resolved"}},
	{[]string{"x509", "tls:", "certificate"}, Cause{"the certificate ran out or is of another authority: a renewed CA needs the new bundle in the client", "TLS fails"}},
	{[]string{"client.timeout", "awaiting headers", "i/o timeout", "deadline exceeded", "no route to host", "network is unreachable"}, Cause{"the network is cut: a firewall, a NetworkPolicy or a VPN drops packets without an answer", "nothing answers in time"}},
	{[]string{"connection reset", "broken pipe", "unexpected eof", ": eof", "goaway"}, Cause{"something between breaks connections off: a proxy, a load balancer, or a server that ends", "the connection breaks"}},
	{[]string{"unable to decode", "couldn't get version/kind", "no kind", "invalid character", "cannot unmarshal"}, Cause{"what the server sends cannot be decoded: types of another version, a server that ignores the asked content type (PartialObjectMetadata), or a page of a proxy", "an answer is not decoded"}},
}

// causesOfFailure are the causes that a failed request speaks for.
func causesOfFailure(why string) []Cause {
	if cs := causesIn(failureCauses, why); len(cs) > 0 {
		return cs
	}
	return []Cause{{Text: "see the last error"}}
}
