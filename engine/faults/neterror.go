package faults

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"os"
	"syscall"
)

// errReset is what a read of a connection says after a reset.
var errReset error = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}

// errGoAway is the error of a stream, or of a request under way, whose
// connection was closed after a GOAWAY. net/http's own type is private; it and
// client-go (IsProbableEOF) tell it by its text. A graceful GOAWAY is invisible
// from above net/http, which moves new requests to another connection.
var errGoAway = errors.New(`http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=""`)

// refused is the error of dialling a port where nobody listens.
func refused(u *url.URL) error {
	e := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	if a, err := netip.ParseAddrPort(u.Host); err == nil {
		e.Addr = net.TCPAddrFromAddrPort(a)
	}
	return e
}
