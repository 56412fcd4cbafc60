package ishare

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// rebootWords adds what section 5.1 says of revocations: nine in ten are reboots,
// gone for less than a minute. A record tells that only where a gap that long is one:
// a machine counts as gone after some periods without a sample. A sample every half minute or more
// cannot show an absence of less than one.
func rebootWords(a *paper.Reproduction, f *fleetRecord) {
	short, all, least := 0.0, 0.0, math.Inf(1)
	for i := range f.machine {
		for _, v := range f.machine[i].spells {
			if v.State != smp.S5 || v.Cut {
				continue
			}
			length := float64(v.Steps) * f.period
			// Intervals cut by the end of the record have no length that is known.
			if all++; length < 60 {
				short++
			}
			least = math.Min(least, length)
		}
	}
	row := paper.Row{Quantity: "revocations shorter than 1 min", Printed: new(0.9), Note: "around, in section 5.1"}
	switch {
	case all == 0:
		row.Note += "; there is none in these records"
	// Two periods without a sample are the shortest absence that can be seen.
	case 2*f.period >= 60:
		row.Note += fmt.Sprintf("; samples of %s s do not tell: the shortest seen is %s s", ask.Digits(f.period),
			ask.Digits(least))
	default:
		row.Computed = ask.Figure(short / all)
	}
	a.Add(row)
}

// hourWords judges what section 5.3 says of figure 7 in words, from its rows. It reads the rows
// that figure7 has added, all 48 of them.
func hourWords(a *paper.Reproduction) {
	var mean, spread [2][25]float64 // by kind of day and hour from 1
	seen := 0
	// A row that has no value leaves the count below 48, and nothing is judged.
	for _, r := range a.Rows {
		for kind, name := range []string{"weekday", "weekend"} {
			if r.Quantity == "failures in the hour, "+name && r.Computed != nil && r.X != nil {
				hour := int(*r.X)
				mean[kind][hour], spread[kind][hour] = *r.Computed, (*r.High-*r.Low)/2
				seen++
			}
		}
	}
	if seen != 48 {
		return
	}
	// The hour from 4:00 to 5:00 has the nightly job updatedb, which the text leaves out too.
	over := func(kind, from, to int) float64 { // hours from..to, but for that of updatedb
		sum, n := 0.0, 0.0
		for h := from; h <= to; h++ {
			if h != 5 {
				sum, n = sum+mean[kind][h], n+1
			}
		}
		return sum / n
	}
	// Hours are numbered by their ends as in the figure, so that 11 is the hour from 10:00 on.
	ratio := over(0, 11, 24) / over(0, 1, 10)
	a.Says(ratio > 1, "failures in an hour after 10:00 over one before, weekday", "times", ratio,
		"the text: there are more after 10:00, but for 4:00 to 5:00")
	more, wide, n := 0, 0.0, 0.0
	for h := 1; h <= 24; h++ {
		// The 14 hours after 10:00.
		if h > 10 && mean[0][h] > mean[1][h] {
			more++
		}
		for kind := range mean {
			if mean[kind][h] > 0 {
				wide, n = wide+spread[kind][h]/mean[kind][h], n+1
			}
		}
	}
	a.Says(more == 14, "hours after 10:00 with more failures on weekdays", "of 14", float64(more),
		"the text: more than on weekends in the same hours")
	a.Says(false, "half the range over days, of the mean, on average over hours", "", wide/n,
		"the text: deviations between days are small; how small is drawn alone, and a range grows with the days "+
			"that it is of")
	a.Rows[len(a.Rows)-1].Verdict = paper.CannotBeTold
}
