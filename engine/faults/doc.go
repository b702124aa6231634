// Package faults breaks the wire on purpose: an http.RoundTripper under
// client-go that cuts, freezes, garbles, delays or refuses what passes, so that
// the REST client, the decoder and the Reflector react as they do when a real
// server or network does it. It touches only the connection it is put into.
//
// A Set holds the faults that are armed, and gives the RoundTripper to
// rest.Config.Wrap. A tap that is to see the faults as the client does is
// wrapped after it. With nothing armed, bytes pass unparsed and unchanged. What is
// not a read of the Kubernetes API always does.
//
// It imports net/http and apimachinery, and of this program only engine/flight.
package faults
