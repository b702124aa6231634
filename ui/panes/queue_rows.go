package panes

import (
	"strconv"
	"time"

	"informerscope/journal/state"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// drawRow draws a key and, on the right, what there is to say about it.
func (p *queuePane) drawRow(c *view.Context, a screen.Area, y int, s section, i int) {
	q := &c.Resource.Queue
	key := p.keyAt(c, s, i)
	sign, st := c.Marker(key)
	x := labelWidth + 1
	a.Rune(x-1, y, st, sign)
	again := false
	// What is said about a key leaves it at least so many columns.
	room := a.W - x - 2 - min(screen.Width(a.Canvas(), key), 12)
	var buf, scratch [64]byte
	b := buf[:0]
	switch s {
	case secQueue:
		if q.Kind == state.QueuePriority && !p.rows[s].on {
			b, again = appendReady(b, q, i, key, room)
		}
	case secFailures:
		b = appendFailures(b, q.Requeues(key), room)
	case secDirty:
		_, again = q.Processing(key)
		if again && room >= len("being processed") {
			b = append(b, "being processed"...)
		} else if again {
			b = append(b, "in work"...)
		}
	case secProcessing:
		w := p.procAt(c, i)
		if w.Key == "" {
			drawIdle(c, a, x, y, w.Worker)
			return
		}
		b, again = appendProcessing(b, scratch[:0], c, w, room)
	case secWaiting:
		if w, ok := q.Waiting(key); ok {
			b = appendWaiting(b, c, w, room)
		}
	}
	end := a.W - 1
	if len(b) > 0 {
		info := theme.Dim
		if again {
			info = theme.Warn
			if st == theme.Plain {
				st = theme.Warn
			}
		}
		end = screen.Right(a, end, y, info, b) - 1
	}
	phrase.FitKey(a, x, y, end-x, st, key)
}

// drawIdle draws a worker that has nothing to do.
func drawIdle(c *view.Context, a screen.Area, x, y int, worker string) {
	pen := a.Pen(x, y)
	pen.Str(theme.Dim, phrase.WorkerName(worker)).Str(theme.Dim, " idle")
	if blocked(c, worker) {
		pen.Str(theme.Warn, " blocked")
	}
}

// appendReady says of a ready item what its priority is; again: it is locked, and
// waits for Done.
func appendReady(b []byte, q *state.Queue, i int, key string, room int) (_ []byte, again bool) {
	_, priority := q.ReadyAt(i)
	b = appendPriority(b, priority, room)
	if again = q.IsLocked(key); again && room >= len(b)+len("  until Done") {
		b = append(b, "  until Done"...)
	}
	return b, again
}

func appendFailures(b []byte, n int64, room int) []byte {
	if b = strconv.AppendInt(b, n, 10); room >= 12 {
		b = append(b, " failure"...)
		if n != 1 {
			b = append(b, 's')
		}
	}
	return b
}

// appendProcessing says who processes a key, and since when; again: it is dirty,
// or its worker is blocked. scratch may be what is returned.
func appendProcessing(b, scratch []byte, c *view.Context, w state.Processing, room int) (_ []byte, again bool) {
	q := &c.Resource.Queue
	age := c.TenthsAge(w.Since)
	again = q.IsDirty(w.Key)
	long := padLeft(append(append(b, phrase.ShortWorker(w.Worker)...), ' '), phrase.AppendTenths(scratch, age), 5)
	word := "dirty again"
	if q.Kind == state.QueuePriority {
		word = "ready again"
	}
	switch {
	case blocked(c, w.Worker) && room >= len("blocked ")+len(long):
		return append(append(scratch, "blocked "...), long...), true
	case !again:
		return long, false
	case room >= len(word)+1+len(long):
		return append(append(append(scratch, word...), ' '), long...), true
	}
	return append(b, word...), true
}

// appendWaiting says when an item is due, and how often it was requeued.
func appendWaiting(b []byte, c *view.Context, w state.Waiting, room int) []byte {
	switch due := w.Due.Sub(c.Now); {
	case due < 0:
		b = append(b, "due"...)
	case due < time.Second/10: // of a first failure, with time that stands still
		b = append(strconv.AppendInt(append(b, "in "...), due.Milliseconds(), 10), "ms"...)
	default:
		c.Tenths = c.Tenths || due < 10*time.Second
		b = phrase.AppendTenths(append(b, "in "...), due)
	}
	if c.Resource.Queue.Kind == state.QueuePriority && w.Priority != 0 {
		b = appendPriority(append(b, ' '), w.Priority, room-len(b)-1)
	}
	if w.Requeues > 0 {
		b = strconv.AppendInt(append(b, ' '), w.Requeues, 10)
		if len(b)+len(" requeues") > room {
			b = append(b, " req"...)
		} else if b = append(b, " requeue"...); w.Requeues != 1 {
			b = append(b, 's')
		}
	}
	return b
}

// blocked says whether a worker's reconciles are kept from ending.
func blocked(c *view.Context, worker string) bool {
	for i := range c.Resource.Workers {
		if c.Resource.Workers[i].Name == worker {
			return c.Resource.Workers[i].Blocked
		}
	}
	return false
}

// appendPriority says a priority, shorter where there is less room.
func appendPriority(b []byte, n, room int) []byte {
	if room >= 14 {
		b = append(b, "priority "...)
	} else {
		b = append(b, "prio "...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// padLeft appends s, right aligned in w columns.
func padLeft(b, s []byte, w int) []byte {
	for range w - len(s) {
		b = append(b, ' ')
	}
	return append(b, s...)
}
