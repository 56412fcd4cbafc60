package smp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/given"
)

// A Laboratory makes records like those of the student computer laboratory
// that iShare section 5 traces, which are not to be had: 20 machines over three
// months. Zero fields mean the value in brackets.
//
// A machine is free for a spell, fails by one of three causes, and is free
// again. Spells are renewals in the laboratory's own time, which runs faster in
// the hours in which students come; each night at 4:00 the index of file names
// is rebuilt, which takes every free machine for half an hour. The constants
// below were chosen to meet the shares of table 2, the counts of table 3, the
// quartile-like statements on figure 6 and the peak of figure 7;
// TestLaboratoryMeetsThePaper measures how well they do. Whatever else is
// computed on such records is a property of this model and no evidence for the
// paper.
type Laboratory struct {
	Machines int       // [20]
	Days     int       // whole days [90]
	Period   float64   // s between samples [30]
	Begin    time.Time // midnight of the first day [Monday, 2005-08-15, UTC]
	Seed     uint64    // machine m draws from a stream of its own, of the seed and m
}

// laboratoryWorkingSet is the memory that a guest needs, in MB: with less free
// the machine is in S4. Of the paper's four guests one is smaller.
const laboratoryWorkingSet = 100

// Thresholds are those by which the states of a laboratory are seen: the
// paper's, a guest of 100 MB, and a gap that shows a reboot of a minute.
func (l Laboratory) Thresholds() Thresholds {
	l = l.filled()
	return Thresholds{
		Period:     l.Period,
		WorkingSet: laboratoryWorkingSet,
		Gap:        1.5 * l.Period,
	}
}

// filled returns the laboratory with its defaults.
func (l Laboratory) filled() Laboratory {
	l.Machines = cmp.Or(l.Machines, 20)
	l.Days = cmp.Or(l.Days, 90)
	l.Period = cmp.Or(l.Period, 30)
	if l.Begin.IsZero() {
		l.Begin = time.Date(2005, 8, 15, 0, 0, 0, 0, time.UTC)
	}
	return l
}

// Limits of a laboratory: what one call may hold in memory.
const (
	mostLaboratoryMachines = 100_000
	mostLaboratorySamples  = 1 << 24 // of one machine: 512 MiB
)

// Size returns the machines and the greatest number of samples of one, or a
// *DomainError for a field out of its domain: 1..100,000 machines, at least one
// day, a period of 1 s to 1 h, and at most 2^24 samples of a machine.
func (l Laboratory) Size() (machines, samples int, err error) {
	const fn = "Laboratory"
	l = l.filled()
	switch {
	case l.Machines < 1 || l.Machines > mostLaboratoryMachines:
		return 0, 0, &DomainError{fn, "Machines", float64(l.Machines), fmt.Sprintf("1..%d", mostLaboratoryMachines)}
	case !(l.Period >= 1 && l.Period <= 3600):
		return 0, 0, &DomainError{fn, "Period", l.Period, "1 s to 1 h"}
	case l.Days < 1 || float64(l.Days)*86400/l.Period > mostLaboratorySamples:
		return 0, 0, &DomainError{fn, "Days", float64(l.Days), "at least 1, with at most 2^24 samples of a machine"}
	}
	return l.Machines, int(math.Ceil(float64(l.Days) * 86400 / l.Period)), nil
}

// Machine returns the samples of machine m, 0 ≤ m < Machines, in order of time;
// while a machine is gone it has none. The same laboratory gives the same
// samples. Errors: *DomainError, and the context's.
func (l Laboratory) Machine(ctx context.Context, m int) ([]Sample, error) {
	ctx = given.Context(ctx)
	_, most, err := l.Size()
	if err != nil {
		return nil, err
	}
	// The memory of many samples takes a second where there is other work.
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	samples := make([]Sample, 0, most)
	err = l.EachSample(ctx, m, func(s Sample) error {
		samples = append(samples, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return samples, nil
}

// EachSample is [Laboratory.Machine] one sample at a time, up to the first error of each, which it returns.
func (l Laboratory) EachSample(ctx context.Context, m int, each func(Sample) error) error {
	ctx, each = given.Context(ctx), given.Each(each)
	machines, most, err := l.Size()
	if err != nil {
		return err
	}
	if m < 0 || m >= machines {
		return &DomainError{"Laboratory", "m", float64(m), fmt.Sprintf("0..%d", machines-1)}
	}
	l = l.filled()
	d := newStudentMachine(l, m)
	begin := float64(l.Begin.Unix())
	for k := range most {
		if k%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := float64(k) * l.Period
		if s, seen := d.sample(at); seen {
			s.Time = begin + at
			if err := each(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// Constants of the model; see [Laboratory] for what they were chosen to meet.
const (
	spellMean  = 2.87 * 3600 // s of laboratory time that a machine is free
	spellShape = 12          // gamma: about 60 % of weekday spells last 2 to 4 h
	activitySD = 0.02        // between machines, of the log of laboratory time

	memoryShare   = 0.28  // of failures by memory, S4
	memorySpread  = 0.02  // between machines
	revokedShare  = 0.019 // of machines gone, S5
	shortestStay  = 120   // s: a failure by load is seen after the grace time
	shortStay     = 270   // s: figure 6 rises until 5 min
	rebootFrom    = 31.   // s; "reboots ... shorter than 1 min"
	rebootTo      = 59.
	indexClock    = 4 * 3600 // s after midnight: "started at 4 AM every day"
	indexDuration = 1800.    // s: "lasts for about 30 min"

	lightStay = 50 * 60. // s, mean, in S1 before the load rises to S2
	heavyStay = 6 * 60.  // s, mean, in S2
	peakShare = 0.002    // of samples of a free machine with a peak that passes
)

// Shares of short stays and lengths of long ones (s, mean of a lognormal law of
// coefficient of variation longCV) by cause. Together with the counts of table
// 3 they give the shares of time of table 2.
var (
	shortShare = [3]float64{0.80, 0.60, 0.90}
	longStay   = [3]float64{10.2 * 3600, 4.7 * 3600, 70 * 3600}
)

const longCV = 0.3

// activity is the speed of the laboratory's time by hour, on weekdays.
func activity(hour float64) float64 {
	switch {
	case hour < 8:
		return 0.75
	case hour < 10:
		return 0.95
	case hour < 18:
		return 1.2
	}
	return 1.0
}

// weekendActivity is the speed on weekends over that on weekdays.
const weekendActivity = 0.47

// A studentMachine is one machine as it goes through time.
type studentMachine struct {
	rng     *rand.Rand
	l       Laboratory
	active  float64 // speed of its laboratory time
	memory  float64 // share of S4 among its failures
	free    float64 // MB, mean, while there is enough
	state   int     // S1 or S2 while free, else the failure
	until   float64 // s from the beginning: end of the failure; while free, of S1 or S2
	left    float64 // s of laboratory time until the next failure
	clock   float64 // s from the beginning
	dealt   [3][]bool
	spell   distuv.Gamma
	long    [3]distuv.LogNormal
	indexed float64 // s: the last day on which the index was rebuilt
}

func newStudentMachine(l Laboratory, m int) *studentMachine {
	src := rand.NewPCG(l.Seed, uint64(m))
	d := &studentMachine{
		rng:     rand.New(src),
		l:       l,
		state:   S1,
		indexed: -1,
		spell:   distuv.Gamma{Alpha: spellShape, Beta: spellShape / spellMean, Src: src},
	}
	sigma := math.Sqrt(math.Log1p(longCV * longCV))
	for i, mean := range longStay {
		d.long[i] = distuv.LogNormal{Mu: math.Log(mean) - sigma*sigma/2, Sigma: sigma, Src: src}
	}
	d.active = math.Exp(activitySD * d.rng.NormFloat64())
	d.memory = memoryShare + memorySpread*d.rng.NormFloat64()
	// Mean and deviation of the free memory between machines are those of
	// table 2, less the time in S4.
	d.free = max(319+79*d.rng.NormFloat64(), 1.3*laboratoryWorkingSet)
	d.left = d.spell.Rand() * d.rng.Float64()
	d.until = d.rng.ExpFloat64() * lightStay
	return d
}

// speed is that of laboratory time.
func (d *studentMachine) speed(when time.Time, hour int) float64 {
	v := d.active * activity(float64(hour))
	if day := when.Weekday(); day == time.Saturday || day == time.Sunday {
		v *= weekendActivity
	}
	return v
}

// sample moves the machine on to a time and returns what is seen then; false
// while it is gone.
func (d *studentMachine) sample(at float64) (Sample, bool) {
	d.advance(at)
	s := Sample{FreeMemory: max(d.free*(1+0.08*d.rng.NormFloat64()), 1.05*laboratoryWorkingSet)}
	switch d.state {
	case S1:
		s.Load = 0.15 * d.rng.Float64()
		if d.rng.Float64() < peakShare {
			s.Load = 0.65 + 0.35*d.rng.Float64()
		}
	case S2:
		s.Load = 0.22 + 0.36*d.rng.Float64()
	case S3:
		s.Load = 0.65 + 0.35*d.rng.Float64()
	case S4:
		s.Load = 0.15 * d.rng.Float64()
		s.FreeMemory = laboratoryWorkingSet * (0.1 + 0.8*d.rng.Float64())
	case S5:
		return s, false
	}
	return s, true
}

// advance moves the machine on to a time.
func (d *studentMachine) advance(to float64) {
	step := to - d.clock
	d.clock = to
	if d.state > S2 {
		if to < d.until {
			return
		}
		d.state, d.left, d.until = S1, max(d.spell.Rand(), 60), to+d.rng.ExpFloat64()*lightStay
	}
	when := d.l.Begin.Add(time.Duration(to * float64(time.Second)))
	hour, minute, second := when.Clock()
	sinceMidnight := float64(hour*3600 + minute*60 + second)
	if day := to - sinceMidnight; sinceMidnight >= indexClock && sinceMidnight < indexClock+indexDuration &&
		d.indexed != day {
		d.indexed = day
		d.state, d.until = S3, day+indexClock+indexDuration
		return
	}
	if d.left -= step * d.speed(when, hour); d.left <= 0 {
		d.fail(to)
		return
	}
	if to >= d.until {
		mean := heavyStay
		if d.state = S1 + S2 - d.state; d.state == S1 {
			mean = lightStay
		}
		d.until = to + d.rng.ExpFloat64()*mean
	}
}

// fail draws a cause and how long it lasts.
func (d *studentMachine) fail(at float64) {
	cause := 0
	switch v := d.rng.Float64(); {
	case v < revokedShare:
		cause = 2
	case v < revokedShare+d.memory:
		cause = 1
	}
	d.state = S3 + cause
	switch {
	case !d.short(cause):
		d.until = at + d.long[cause].Rand()
	case d.state == S5:
		d.until = at + rebootFrom + (rebootTo-rebootFrom)*d.rng.Float64()
	default:
		d.until = at + shortestStay + (shortStay-shortestStay)*d.rng.Float64()
	}
}

// short deals whether a failure is short, from a shuffled deck of 20 cards, so
// that machines differ as little as those of table 3.
func (d *studentMachine) short(cause int) bool {
	const cards = 20
	if len(d.dealt[cause]) == 0 {
		deck := make([]bool, cards)
		for i := range deck {
			deck[i] = float64(i) < shortShare[cause]*cards
		}
		d.rng.Shuffle(cards, func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		d.dealt[cause] = deck
	}
	last := len(d.dealt[cause]) - 1
	v := d.dealt[cause][last]
	d.dealt[cause] = d.dealt[cause][:last]
	return v
}
