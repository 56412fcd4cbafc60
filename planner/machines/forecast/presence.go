package forecast

import (
	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
)

// Presence is how much of the time a machine of the fleet is there: the mean over the
// machines of the share of time that each was there, with a day of the fleet's beside
// its own record, and the mean times to leave and to come back of all together. A
// machine of a short record thus counts by what is known of the fleet. Errors:
// *ask.InputError, of a fleet whose file does not say how long machines stay away.
func (f *Fleet) Presence() (*tally.Fleet, error) {
	if err := f.usable(); err != nil {
		return nil, err
	}
	out := &tally.Fleet{Machines: len(f.Records)}
	var there, gone float64
	for i := range f.Records {
		r := &f.Records[i]
		half := f.Hazard.Period / 2
		out.Failures += int(r.Failures.Total())
		out.Repairs += int(r.Returned.Total())
		there += float64(r.Exposure.Total()+r.Failures.Total()) * half
		gone += float64(r.Absence.Total()+r.Returned.Total()) * half
	}
	if f.Returns == nil && out.Failures > 0 {
		return nil, ask.Inputf("fleet",
			"does not say how long machines stay away: fit it again to traces in which machines come back")
	}
	out.UpTime, out.DownTime = there, gone
	if out.Failures > 0 {
		out.MTTF = ask.Figure(there / float64(out.Failures))
	}
	if out.Repairs > 0 {
		out.MTTR = ask.Figure(gone / float64(out.Repairs))
	}
	out.Availability = ask.Figure(stat.Mean(f.shares(), nil))
	return out, nil
}

// shares are those of time that each machine of the fleet is there; 1 where none was
// seen to come back.
func (f *Fleet) shares() []float64 {
	out := make([]float64, len(f.Records))
	p := &population{fleet: f, lost: &f.Hazard, back: f.Returns}
	if p.back != nil {
		p.observe(f.End)
	}
	for i := range out {
		out[i] = 1
		if p.back != nil {
			out[i] = p.member(f.Records[i].Name).share
		}
	}
	return out
}
