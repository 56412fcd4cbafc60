package intergrid

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim/lease"
)

// A leaseTable is what the runs of the lease experiments came to. It is what leases.json holds, so
// that the figures need no simulation of hours.
type leaseTable struct {
	Seeds      int         `json:"seeds"`
	Seed       uint64      `json:"seed"`
	Cells      []leaseCell `json:"cells"`
	Pairs      []leasePair `json:"pairs"`
	Regression *leaseLine  `json:"regression"`
	Face       *leaseTable `json:"face_value,omitempty"` // at the first point of experiment a
}

// A leaseCell is a policy at a point.
type leaseCell struct {
	Experiment string                    `json:"experiment"`
	X          float64                   `json:"x"`
	Policy     string                    `json:"policy"`
	Seeds      int                       `json:"seeds"`
	Figures    map[string]means.Interval `json:"figures"`
	First      map[string]float64        `json:"-"` // of the first seed, which a test makes again and compares
}

// everywhere is an x below all points.
var everywhere = math.Inf(-1)

// cells are those of a policy in an experiment at the points above x.
func (t *leaseTable) cells(letter string, p lease.Policy, x float64) (all []leaseCell) {
	for _, c := range t.Cells {
		if c.Experiment == letter && c.Policy == p.String() && c.X > x {
			all = append(all, c)
		}
	}
	return all
}

// A leasePair is the mean difference of two policies over the seeds, for the claim
// of a name.
type leasePair struct {
	Claim      string         `json:"claim"`
	Seeds      int            `json:"seeds"`
	Difference means.Interval `json:"difference"`
}

// A leaseLine is the regression of response on VMs preempted, R = intercept +
// slope x η, over all runs of the paper's policies; the intervals are of the
// seeds, each of which gives a line of its own.
type leaseLine struct {
	Intercept   means.Interval `json:"intercept_s"`
	Slope       means.Interval `json:"slope_s"`
	Correlation means.Interval `json:"correlation"`
	Preempted   [2]float64     `json:"preempted"`  // the domain: least and greatest
	Response    [2]float64     `json:"response_s"` // over the same runs
}

//go:embed leases.json
var storedLeases []byte

// leaseSeeds are the runs behind each point where other ones than the stored are
// asked for.
const leaseSeeds = 20

// leasesOf returns the table for a question: the stored one, or where it asks for
// seeds, a seed or a speed of its own, one that is made now. letters are the experiments that the
// figure needs; the stored table has all. Errors: *ask.InputError for a speed that is none, or at
// which PAP has no split.
func leasesOf(ctx context.Context, q *paper.Question, letters string) (*leaseTable, error) {
	speed := ask.Or(q.ReferenceSpeed, float64(defaultReferenceSpeed))
	if err := ask.Positive("reference-speed", speed, "a speed above 0 in MIPS"); err != nil {
		return nil, err
	}
	// A seed of 1 is what a command without --seed has.
	if q.Seeds == 0 && q.Seed <= 1 && speed == defaultReferenceSpeed {
		return storedTable(), nil
	}
	seeds := cmp.Or(q.Seeds, leaseSeeds)
	t, err := makeLeases(ctx, runLeases, seeds, max(q.Seed, 1), speed, letters, false, q.Done)
	var saturated *routing.SaturatedError
	var infeasible *routing.InfeasibleError
	// At a low speed local requests alone fill some cluster.
	if errors.As(err, &saturated) || errors.As(err, &infeasible) {
		return nil, &ask.InputError{Field: "reference-speed", Reason: "PAP has no split at this speed: " + err.Error()}
	}
	return t, err
}

// storedTable is the table of the default seeds, which the program carries. It is parsed anew each
// time, since callers add to it.
func storedTable() *leaseTable {
	t := &leaseTable{}
	if err := json.Unmarshal(storedLeases, t); err != nil {
		panic("papers: leases.json: " + err.Error()) // part of the program
	}
	return t
}

// A leaseRun is a cell with the values of its seeds. The values by seed are needed for pairs and
// regression, and are not stored.
type leaseRun struct {
	leaseCell
	of leaseRuns
}

// makeLeases runs the experiments of the letters; face adds the first point of
// experiment a with table 2 at face value. done is told after each policy at each point. Errors:
// pieces.ErrKept where the runs are those of a shard; those of the simulation.
func makeLeases(ctx context.Context, run leaseRunner, seeds int, seed uint64, speed float64, letters string, face bool,
	done func(part, parts int)) (*leaseTable, error) {
	run = remembered(run)
	units := leaseUnits(speed, letters, face)
	var room, full []leaseRun
	var kept error // of a shard, whose works follow each other whatever they come to
	for i, u := range units {
		w, err := u.e.workload(u.at)
		if err != nil {
			return nil, err
		}
		n := seeds
		if u.read.name == faceValue.name {
			n = faceSeeds(seeds)
		}
		of, err := run(ctx, u.read.system(w, u.p), n, seed)
		if errors.Is(err, pieces.ErrKept) {
			kept = err
			continue
		}
		if err != nil {
			return nil, err
		}
		c := leaseCell{
			Experiment: u.e.letter,
			X:          u.e.value(w),
			Policy:     u.p.String(),
			Seeds:      len(of[response]),
			Figures:    map[string]means.Interval{},
			First:      map[string]float64{},
		}
		for _, f := range leaseFigures {
			if v, ok := means.Of(of[f.name]); ok {
				c.Figures[f.name] = v
			}
			if v := of[f.name][0]; !math.IsNaN(v) {
				c.First[f.name] = v
			}
		}
		if u.read.name == faceValue.name {
			full = append(full, leaseRun{c, of})
		} else {
			room = append(room, leaseRun{c, of})
		}
		if done != nil {
			done(i+1, len(units))
		}
	}
	if kept != nil {
		return nil, kept
	}
	t := tableOf(room, seeds, seed)
	if face {
		t.Face = tableOf(full, faceSeeds(seeds), seed)
	}
	return t, nil
}

// faceSeeds are fewer: with table 2 at face value the queues grow, and a seed takes
// twenty times as long.
func faceSeeds(seeds int) int { return max(2, seeds/20) }

// A leaseUnit is a policy at a point of an experiment, by a reading. The order in which units are
// made is that of the progress.
type leaseUnit struct {
	e    *leaseExperiment
	at   float64
	p    lease.Policy
	read leaseReading
}

// leaseUnits are the runs of the letters, those of which the paper prints numbers
// first. Policies beyond the paper run at one point only, the first of experiment a.
func leaseUnits(speed float64, letters string, face bool) []leaseUnit {
	var units []leaseUnit
	add := func(policies []lease.Policy, middle bool) {
		for i := range leaseExperiments {
			e := &leaseExperiments[i]
			if !strings.Contains(letters, e.letter) || middle && e.letter != "a" {
				continue
			}
			for k, at := range e.at {
				if middle && k > 0 {
					break
				}
				for _, p := range policies {
					units = append(units, leaseUnit{e, at, p, roomy(speed)})
				}
			}
		}
	}
	add(leasePolicies[:2], false)
	add(leasePolicies[2:4], false)
	add(leasePolicies[4:], false)
	add(leaseBeyond, true)
	if face {
		e := &leaseExperiments[0]
		for _, p := range append(slices.Clone(leasePolicies), lease.LeastWorkLeft) {
			units = append(units, leaseUnit{e, e.at[0], p, faceValue})
		}
	}
	return units
}

// tableOf takes runs together. Claims without enough runs have no pair.
func tableOf(runs []leaseRun, seeds int, seed uint64) *leaseTable {
	t := &leaseTable{Seeds: seeds, Seed: seed, Regression: regress(runs, seeds)}
	for _, r := range runs {
		t.Cells = append(t.Cells, r.leaseCell)
	}
	for _, c := range leaseClaims {
		values := c.differences(runs)
		if d, ok := means.Of(values); ok {
			t.Pairs = append(t.Pairs, leasePair{c.figure(), len(values), d})
		}
	}
	return t
}

// differences returns the paired difference of a claim by seed, the mean over the
// points that it is about; NaN where a run has no value. Pairing by seed takes out what all
// policies have in common, the stream of requests.
func (c *leaseClaim) differences(runs []leaseRun) []float64 {
	var sums []float64
	points := 0
	for _, a := range runs {
		if a.Experiment != c.experiment || a.Policy != c.more.String() || !c.about(a.X) {
			continue
		}
		for _, b := range runs {
			if b.Experiment != a.Experiment || b.X != a.X || b.Policy != c.less.String() {
				continue
			}
			points++
			// Of points with other numbers of seeds those are paired that all have.
			n := min(a.Seeds, b.Seeds)
			if points > 1 {
				n = min(n, len(sums))
			} else {
				sums = make([]float64, n)
			}
			sums = sums[:n]
			for i := range sums {
				sums[i] += a.of[c.of][i] - b.of[c.of][i]
			}
		}
	}
	for i := range sums {
		sums[i] /= float64(points)
	}
	return sums
}

// regress fits a line to the runs of the paper's policies, for each seed. nil where a seed has
// fewer than three runs with a response.
func regress(runs []leaseRun, seeds int) *leaseLine {
	line := &leaseLine{Preempted: [2]float64{math.Inf(1), math.Inf(-1)},
		Response: [2]float64{math.Inf(1), math.Inf(-1)}}
	var intercepts, slopes, correlations []float64
	for i := range seeds {
		var eta, times []float64
		for _, r := range runs {
			if !slices.ContainsFunc(leasePolicies, func(p lease.Policy) bool { return p.String() == r.Policy }) {
				continue
			}
			x, y := r.of[lease.VMsPreempted][i], r.of[response][i]
			if math.IsNaN(y) {
				continue
			}
			eta, times = append(eta, x), append(times, y)
			line.Preempted = [2]float64{min(line.Preempted[0], x), max(line.Preempted[1], x)}
			line.Response = [2]float64{min(line.Response[0], y), max(line.Response[1], y)}
		}
		if len(eta) < 3 {
			return nil
		}
		a, b := stat.LinearRegression(eta, times, nil, false)
		intercepts, slopes = append(intercepts, a), append(slopes, b)
		correlations = append(correlations, stat.Correlation(eta, times, nil))
	}
	var ok [3]bool
	line.Intercept, ok[0] = means.Of(intercepts)
	line.Slope, ok[1] = means.Of(slopes)
	line.Correlation, ok[2] = means.Of(correlations)
	if ok != [3]bool{true, true, true} {
		return nil
	}
	return line
}
