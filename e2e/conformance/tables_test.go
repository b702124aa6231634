package conformance

// differences are the checks that do not hold on the sandbox because it is meant to be so, with the reason.
var differences = map[string]string{
	"discovery: every resource of kube-apiserver's defaults is served": "the sandbox has the kinds that informers are watched with, and custom resources; nothing there would act on the others",
	"list: an answer's audit id is the one the client chose":           "there is no audit log",
	"list: every answer names its audit id and priority level":         "there is neither an audit log nor priority and fairness",
	"transport: a request without a token is anonymous, and forbidden": "the sandbox has one user and no RBAC, so a request without the token is 401",
}

// pending are the checks that do not hold on the sandbox yet, with what is missing.
var pending = map[string]string{}
