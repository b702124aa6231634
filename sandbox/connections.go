package sandbox

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// maxConnections is how many connections may be open: far more than clients need, as all requests of one share a connection.
const maxConnections = 256

// connections bounds how many connections a server has. One too many takes the place of the one that has been without a
// request for longest, since a client that only connects must not keep others out. Only if all have requests is it refused.
type connections struct {
	limit int

	mu sync.Mutex
	// open has when each connection began to be without a request, as a number that grows; 0 for one that has some.
	open map[net.Conn]uint64
	last uint64
}

// note is for http.Server.ConnState.
func (cs *connections) note(c net.Conn, state http.ConnState) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	switch state {
	case http.StateNew:
		if len(cs.open) >= cs.limit {
			victim := cs.longestIdleLocked(c)
			delete(cs.open, victim)
			disconnect(victim)
			if victim == c {
				return
			}
		}
		cs.last++
		cs.open[c] = cs.last
	case http.StateClosed, http.StateHijacked:
		delete(cs.open, c)
	default:
		if _, ok := cs.open[c]; !ok {
			return // it was disconnected
		}
		if cs.open[c] = 0; state == http.StateIdle {
			cs.last++
			cs.open[c] = cs.last
		}
	}
}

// longestIdleLocked is what has to make room for c, which may be c.
func (cs *connections) longestIdleLocked(c net.Conn) net.Conn {
	victim, since := c, cs.last+1
	for o, n := range cs.open {
		if n > 0 && n < since {
			victim, since = o, n
		}
	}
	return victim
}

// disconnect closes c without a word to the client, which could hold that up.
func disconnect(c net.Conn) {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	_ = c.Close()
}
