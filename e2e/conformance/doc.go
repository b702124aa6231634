// Package conformance is one suite of checks of a Kubernetes API server's wire behaviour, as clients that list and watch
// see it. It runs unchanged against kube-apiserver and against informerscope's sandbox.
//
// There are two forms of checks. Exchanges, in testdata/exchanges, are requests with the answers that kube-apiserver gave;
// whatever differs from run to run is replaced by a word. Programmed checks, the functions in the tables of the
// *_test.go files, are for what needs more than comparing: watches, paging, compaction, client-go.
//
// A check that fails on the sandbox must stand in one of two tables: differences, which are meant and say why, or pending,
// which wait to be built. A check that stands there and holds fails the suite, so neither table can rot.
//
//	go test ./conformance                    # both servers, and whether docs/conformance.md is in step
//	go test ./conformance -update            # take kube-apiserver's answers, and renew docs/conformance.md
package conformance
