package simulate

import (
	"cmp"
	"context"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/units"
)

// Bearable refuses runs that take long each where nobody gave their number, so that their Events are bounded: two or
// more are done, whatever they take. Of others it leaves as many, but at least two, as take some seconds together on
// one core. What takes too much memory [sim.Run] refuses for that. Errors: *ask.InputError.
func Bearable(ctx context.Context, m sim.Model, o *sim.Options) error {
	if o == nil {
		return nil // sim.Run says so
	}
	paced, ok := m.(sim.Paced)
	if err := endless(paced, o.Horizon); !ok || o.Events == 0 || pieces.Parted(given.Context(ctx)) || err != nil {
		return err
	}
	const most, together, memory = 3.5, 6, 1e9 // s, and the default of [sim.Options]
	seconds := paced.Seconds(o.Horizon)
	if few := together / seconds; few < float64(o.Replications) {
		o.Replications = max(2, int(few))
	}
	if sized, ok := m.(sim.Sized); seconds <= most || ok && sized.Memory(o.Horizon) > cmp.Or(o.MaxMemory, memory) {
		return nil
	}
	return ask.Inputf("replications", "a run takes about %s: want a number of runs, such as 2, if they may take so long",
		units.FormatDuration(seconds, 2))
}

// endless refuses runs of over thirty years, whoever asks for them, such as that of a pool whose epochs are too
// short for time to go on: how long it takes cannot be measured.
func endless(m sim.Paced, horizon float64) error {
	const most = 1e9 // s
	if m == nil || !(m.Seconds(horizon) > most) {
		return nil
	}
	return ask.Inputf("horizon", "has so many events that a run takes over thirty years: want a shorter one, or longer "+
		"times between them")
}
