package recording

import "fmt"

// GapError is that of an event that the recording does not have, between
// others. After Before, which is 0 when there is none, the next that At can go
// to is After.
type GapError struct{ Seq, Before, After uint64 }

func (e *GapError) Error() string {
	return fmt.Sprintf("event %d is not in the recording: there is a gap from %d to %d", e.Seq, e.Before+1, e.After)
}
