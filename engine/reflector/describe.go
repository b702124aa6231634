package reflector

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Describe says an error with the status code that HTTP or the stream gave it.
func Describe(err error) string {
	if err == nil {
		return ""
	}
	if errors.Is(err, io.EOF) {
		return "stream closed"
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		s := status.Status()
		reason := string(s.Reason)
		if reason == "" {
			reason = http.StatusText(int(s.Code))
		}
		return fmt.Sprintf("%d %s: %s", s.Code, reason, s.Message)
	}
	// The URL is known; what went wrong stands behind it.
	var request *url.Error
	if errors.As(err, &request) {
		return request.Err.Error()
	}
	return err.Error()
}
