package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"informerscope/engine"
)

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(n, 10) + " " + noun + "s"
}

func orNobody(worker string) string {
	if worker == "" {
		return "nobody's"
	}
	return worker
}

// duration reads one of Go's durations that is not negative.
func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no duration: use one such as 200ms or 5s", s)
	}
	return d, nil
}

// share reads 0.25 or 25%.
func share(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	f, err := strconv.ParseFloat(number, 64)
	if percent {
		f /= 100
	}
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, fmt.Errorf("%q is no share: use one from 0 to 1, or 0%% to 100%%", s)
	}
	return f, nil
}

// rate reads how many a second: 4, 0.5, 4/s.
func rate(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "/s"), 64)
	if err != nil || !(f >= 0 && f <= engine.MaxPace) {
		return 0, fmt.Errorf("%q is no pace: use items a second up to %d, such as 4 or 0.5; 0 is real time", s, engine.MaxPace)
	}
	return f, nil
}
