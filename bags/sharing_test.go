package bags

import (
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Tasks with checkpoints whose times have no square, of which following the progress did not end.
func TestHugeTasksWithCheckpoints(t *testing.T) {
	hour := law.Exponential{Scale: 3600}
	_, err := Finish(&Setup{
		Bag:    Bag{Size: Spread{Mean: 1000}, Work: Spread{Mean: 1e203}},
		Hosts:  &hosts.Platform{Count: 100, Up: hour, Down: hour, Speed: hosts.Speed{Mean: 1000, SD: 250}},
		Server: Checkpoint,
	})
	if err != nil {
		t.Error(err)
	}
}
