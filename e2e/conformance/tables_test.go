package conformance

// differences are the checks that do not hold on the sandbox because it is meant to be so, with the reason.
var differences = map[string]string{
	"discovery: every resource of kube-apiserver's defaults is served": "the sandbox has the kinds that informers are watched with, and custom resources; nothing there would act on the others",
	"list: an answer's audit id is the one the client chose":           "there is no audit log",
	"list: every answer names its audit id and priority level":         "there is neither an audit log nor priority and fairness",
	"transport: a request without a token is anonymous, and forbidden": "the sandbox has one user and no RBAC, so a request without the token is 401",
}

// pending are the checks that do not hold on the sandbox yet, with what is missing.
var pending = map[string]string{
	"errors: names of roles are path segments":                      "the message or the reason is not kube-apiserver's",
	"errors: names of services are labels that start with a letter": "the message or the reason is not kube-apiserver's",
	"errors: writes to discovery documents":                         "the message or the reason is not kube-apiserver's",
	"specs: Deployments that are wrong":                             "defaults and validation of specs",
	"specs: Jobs that are wrong":                                    "defaults and validation of specs",
	"specs: Secrets of a type that needs keys":                      "defaults and validation of specs",
	"specs: Services that are wrong":                                "defaults and validation of specs",
	"specs: a CronJob gets its defaults":                            "defaults and validation of specs",
	"specs: a DaemonSet gets its defaults":                          "defaults and validation of specs",
	"specs: a Deployment gets its defaults":                         "defaults and validation of specs",
	"specs: a Job gets its defaults":                                "defaults and validation of specs",
	"specs: a Node gets its defaults":                               "defaults and validation of specs",
	"specs: a PersistentVolumeClaim gets its defaults":              "defaults and validation of specs",
	"specs: a Secret's type cannot change":                          "defaults and validation of specs",
	"specs: a Service gets its defaults":                            "defaults and validation of specs",
	"specs: a StatefulSet gets its defaults":                        "defaults and validation of specs",
	"specs: a headless Service":                                     "defaults and validation of specs",
	"specs: a pod gets its defaults":                                "defaults and validation of specs",
	"specs: pods cannot change their containers' names":             "defaults and validation of specs",
	"specs: pods that are wrong":                                    "defaults and validation of specs",
}
