package scenario_test

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var metaList = metav1.ListOptions{Limit: 1}

func next(rv string, n int) string {
	v, _ := strconv.Atoi(rv)
	return strconv.Itoa(v + n)
}

func itoa(n int) string { return strconv.Itoa(n) }
