// Package apiscript is an API server for tests that does what a script says:
// the n-th request gets the n-th answer, whatever it asks for. It speaks real
// HTTP, on loopback (Start) or in memory (StartInMemory), the latter for
// testing/synctest, whose clock stands still while a socket is waited for. It
// imports nothing of this program.
package apiscript
