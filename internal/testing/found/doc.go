// Package found has the tests of findings for which a session must run: it checks that
// what scenarios and a sandbox bring about is found. It stands beside journal/findings
// so that the tests there build what they test, and not all rooms above it.
package found
