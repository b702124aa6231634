package faults_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"

	"informerscope/engine/faults"
)

func TestFrozenStream(t *testing.T) {
	frame := podFrame(t, jsonStream, "ADDED", "a", "5")
	type ending struct {
		n   int
		err error
	}
	frozen := func(t *testing.T, set *faults.Set, words string) (body io.ReadCloser, id int, end chan ending) {
		id = arm(t, set, words)
		body = watchBody(t, set, jsonStream, &chunked{data: frame})
		end = make(chan ending, 1)
		go func() {
			n, err := body.Read(make([]byte, 1<<12))
			end <- ending{n, err}
		}()
		synctest.Wait()
		select {
		case e := <-end:
			t.Errorf("a frozen stream ended: %+v", e)
		default:
		}
		return body, id, end
	}
	t.Run("is closed by the client", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			body, _, end := frozen(t, faults.NewSet(faults.Options{}), "freeze")
			_ = body.Close()
			if e := <-end; e.n != 0 || e.err == nil {
				t.Errorf("%+v", e)
			}
		})
	})
	t.Run("is cut", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			set := faults.NewSet(faults.Options{})
			_, _, end := frozen(t, set, "freeze")
			arm(t, set, "cut")
			if e := <-end; !errors.Is(e.err, syscall.ECONNRESET) {
				t.Errorf("%+v", e)
			}
		})
	})
	t.Run("freezes an ERROR event too", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			set := faults.NewSet(faults.Options{})
			_, id, end := frozen(t, set, "freeze")
			arm(t, set, "error-410")
			synctest.Wait()
			if len(end) > 0 {
				t.Error("the ERROR event came through")
			}
			set.Disarm(id)
			if e := <-end; e.err != nil || e.n == 0 {
				t.Errorf("%+v", e)
			}
		})
	})
	t.Run("thaws after its time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			set := faults.NewSet(faults.Options{})
			start := time.Now()
			_, id, end := frozen(t, set, "freeze for=90s")
			if e := <-end; e.n != len(frame) || e.err != nil || time.Since(start) != 90*time.Second {
				t.Errorf("%+v after %v", e, time.Since(start))
			}
			if set.Disarm(id) {
				t.Error("it is still armed")
			}
		})
	})
	t.Run("ends with the request's context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			set := faults.NewSet(faults.Options{})
			arm(t, set, "freeze")
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "https://server/api/v1/pods?watch=1", nil)
			resp, err := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: &chunked{data: frame}}, nil
			})).RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if _, err := resp.Body.Read(make([]byte, 9)); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	})
}

// A clock of the owner's decides how long a delay is.
func TestDelayGoesByTheClock(t *testing.T) {
	fake := testingclock.NewFakeClock(time.Unix(0, 0))
	var _ clock.WithTicker = fake
	synctest.Test(t, func(t *testing.T) {
		set := faults.NewSet(faults.Options{Clock: fake})
		arm(t, set, "delay 1h times=1")
		body := watchBody(t, set, jsonStream, &chunked{data: podFrame(t, jsonStream, "ADDED", "a", "5")})
		defer body.Close()
		read := make(chan int, 1)
		go func() {
			n, _ := body.Read(make([]byte, 1<<12))
			read <- n
		}()
		synctest.Wait()
		fake.Step(time.Hour - 1)
		synctest.Wait()
		if len(read) > 0 {
			t.Error("the event came early")
		}
		fake.Step(1)
		if <-read == 0 {
			t.Error("the event did not come")
		}
	})
}
