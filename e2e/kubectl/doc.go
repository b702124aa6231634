// Package kubectl runs an unmodified kubectl against kube-apiserver and against the sandbox and compares what it prints.
//
// testdata/commands.txt has the commands, in sections that each get an empty namespace:
//
//	== section
//	--- file.yaml               a file beside the commands, up to the next mark
//	$ kubectl apply -f file.yaml
//	~ why                       the sandbox is meant to differ here
//	? what is missing           the sandbox differs until this is built
//
// A command that is marked and does not differ fails the test. docs/kubectl.md is generated from the file:
//
//	go test ./kubectl -run TestDoc -update
package kubectl
