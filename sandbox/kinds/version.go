package kinds

import (
	"k8s.io/apimachinery/pkg/version"
)

// ServerVersion is the version that the sandbox imitates.
var ServerVersion = version.Info{
	Major: "1", Minor: "37", GitVersion: "v1.37.2+sandbox", GitCommit: "0000000000000000000000000000000000000000",
	GitTreeState: "clean", BuildDate: "2026-01-01T00:00:00Z", GoVersion: "go1.26", Compiler: "gc", Platform: "linux/amd64",
}
