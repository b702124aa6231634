package deltafifo

import (
	"testing"

	"informerscope/internal/testing/soak"
)

func TestMain(m *testing.M) { soak.Main(m) }
