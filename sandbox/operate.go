package sandbox

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Bookmark sends a bookmark now to every watch that allows them, behind the events that it was sent so far.
func (s *Server) Bookmark() { s.store.BookmarkAll() }

// Revoke takes list and watch of a resource from every user until Grant: requests are answered with 403. A watch that is
// open goes on to its end, as in kube-apiserver, which asks for rights only once.
func (s *Server) Revoke(resource schema.GroupResource) { s.handler.Revoke(resource) }

// Grant undoes Revoke.
func (s *Server) Grant(resource schema.GroupResource) { s.handler.Grant(resource) }

// ResourceVersion is that of the last write.
func (s *Server) ResourceVersion() uint64 { return s.store.ResourceVersion() }

// Compact forgets the history up to now, as etcd does every five minutes: a watch from an older resourceVersion gets 410
// Expired. Running watches go on.
func (s *Server) Compact() { s.store.Compact() }

// Delivered finds the watch that a response with this header began; it is nil for what is no watch. What it returns reports
// whether a client that has read so many bytes of the body has everything that there is for it by now. When the server is
// at work on that, probe can be sent to as soon as it no longer is.
func (s *Server) Delivered(header http.Header) func(read int64) (all bool, probe chan<- struct{}) {
	return s.handler.Delivered(header)
}
