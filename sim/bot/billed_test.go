package bot

import (
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// A late run in which ten thousand workers are billed each minute, and hardly anything else happens, is given up once
// that took as long as the events of one that is given up for these: it went on for a year.
func TestBilledRunsAreGivenUp(t *testing.T) {
	help, err := spequlos.ParseStrategy("001A-10000-R")
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{
		Bag: bags.Bag{Size: bags.Spread{Mean: 10_000}, Work: bags.Spread{Mean: 6e4}},
		Hosts: &hosts.Platform{Count: 1, Speed: hosts.Speed{Mean: 1e-3},
			Up: law.Exponential{Scale: 30}, Down: law.Exponential{Scale: 30}},
		Cloud: Cloud{Speed: hosts.Speed{Mean: 1e-9}}, Strategy: &help, Credits: 1e15, late: 3600,
	}
	o, err := Simulate(c, func(name ...uint64) *rand.Rand { return rand.New(rand.NewPCG(1, name[0])) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if most := 1.1 * billedInEvent * lateEvents / 10_000 * 60; o.End < 3600 || o.End > most {
		t.Errorf("given up after %v s, want at most %v", o.End, most)
	}
}
