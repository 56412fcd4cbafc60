package bags

import (
	"math"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim/bot"
)

// A run of ten days of a million machines that come and go within hours would take half a minute: where nobody gave a
// horizon it is shorter. Of a thousand it is not.
func TestManyMachinesAreCountedForLess(t *testing.T) {
	hourly := law.Exponential{Scale: 3600}
	for count, days := range map[int]float64{1000: 10, 1_000_000: 1.037} {
		p := &hosts.Platform{Count: count, Up: hourly, Down: hourly, Speed: hosts.Speed{Mean: 1}}
		most := (&HostsQuestion{Hosts: p}).mostStates()
		if got := spanOf(&bot.Count{Hosts: p}, 10*hosts.Day, most) / hosts.Day; math.Abs(got-days) > 1e-3 {
			t.Errorf("%d machines are followed for %.4g d, want %.4g", count, got, days)
		}
	}
}
