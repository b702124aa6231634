// Package reflector watches client-go's Reflector from both sides: a wire tap
// (an http.RoundTripper under the REST client) that sees requests and streams,
// and a ListerWatcher tap that sees lists and decoded watch events, and holds
// the events at a gate. The Reflector itself is client-go's own and is not
// touched. Faults on the wire are engine/faults, below the wire tap.
//
// Of this program it imports journal, engine/gate and engine/flight.
package reflector
