package workqueue

import (
	"testing"

	"informerscope/engine/soak"
)

func TestMain(m *testing.M) { soak.Main(m) }
