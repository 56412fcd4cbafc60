package pool

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// Transfers through the whole run: one alone takes latency and its bits at the
// speed of the line, 1 MB 8.1 s.
func TestTransferAlone(t *testing.T) {
	p := Default(1e-4)
	p.Dedicated, p.Replicas = 0, 1
	p.Public.Coming = Coming{}
	x := newRun(&p, replication(t))
	x.now = 50
	j := x.take(Arrival{At: 0, Work: 5000, Footprint: 8e6})
	j.draws = x.replication.Stream(streamJob, 0)
	j.place = public
	x.begin(j)
	x.spawn(j, x.pick(j.draws, x.now))
	x.relink(&x.up, upMoves)
	for j.doing != runs {
		at, e, _ := x.agenda.Next()
		if e.kind == comes || e.kind == schedules {
			continue
		}
		x.now = at
		if err := x.deal(e); err != nil {
			t.Fatal(err)
		}
		x.relink(&x.up, upMoves)
	}
	numtest.Close(t, "time of 1 MB", x.now-50, 8.1, 1e-12)
}

// The link in virtual time against one whose transfers are moved on one by one.
func TestLinkShares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		capacity, line := 10.0, 1+4*r.Float64()
		type part struct{ at, bits, end float64 }
		parts := make([]part, 40)
		for i := range parts {
			parts[i] = part{at: 20 * r.Float64(), bits: 5 * r.Float64()}
		}
		// One by one, from event to event.
		left, now := make([]float64, len(parts)), 0.0
		for i := range left {
			left[i] = parts[i].bits
		}
		open := func(i int) bool { return parts[i].at <= now && parts[i].end == 0 }
		for done := 0; done < len(parts); {
			n, next := 0, math.Inf(1)
			for i := range parts {
				if open(i) {
					n++
				}
			}
			rate := min(line, capacity/float64(n))
			for i := range parts {
				if parts[i].at > now {
					next = min(next, parts[i].at)
				} else if open(i) {
					next = min(next, now+left[i]/rate)
				}
			}
			for i := range parts {
				if open(i) {
					if left[i] -= rate * (next - now); left[i] < 1e-9 {
						parts[i].end = next
						done++
					}
				}
			}
			now = next
		}
		// In virtual time.
		x := &run{pool: &Pool{}, replicas: make([]replica, len(parts))}
		x.up = link{capacity: capacity, line: line}
		for i, p := range parts {
			x.agenda.Schedule(p.at, event{kind: hostGoes, who: int32(i)})
		}
		sent := 0.0
		for x.agenda.Len() > 0 {
			var e event
			x.now, e, _ = x.agenda.Next()
			switch e.kind {
			case hostGoes:
				x.replicas[e.who].linked = true
				x.up.add(x.now, parts[e.who].bits, e.who, 0)
				sent += parts[e.who].bits
			case upMoves:
				x.carried(&x.up, e)
			case moved:
				numtest.Close(t, "end of a transfer", x.now, parts[e.who].end, 1e-6)
			}
			x.relink(&x.up, upMoves)
		}
		numtest.Close(t, "bits", x.up.moved, sent, 1e-6)
	}
}
