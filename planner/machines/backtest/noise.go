package backtest

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// A NoiseQuestion asks how much irregular failures put into the training days
// change the prediction (iShare 8.3).
type NoiseQuestion struct {
	Instances []int // numbers of failures put in
	// At is the time of day around which they begin, within half an hour, and
	// at which the windows begin; nil: 8:00.
	At          *float64
	Shortest    float64 // s; a failure lasts uniformly from here …
	Longest     float64 // … to here; both 0: 60 s to 1800 s
	Repetitions int     // draws; 0: 20
	Seed        uint64
}

// A NoiseAnswer is what the noise did.
type NoiseAnswer struct {
	At          float64 `json:"at_s"`
	Shortest    float64 `json:"shortest_s"`
	Longest     float64 `json:"longest_s"`
	Repetitions int     `json:"repetitions"`
	Seed        uint64  `json:"seed"`
	// Scores are by kind of day, number of failures and length of window.
	Scores []NoiseScore `json:"scores"`
}

// A NoiseScore is one number of failures and one length of window. The
// discrepancy is |TR with noise − TR without| / TR without.
type NoiseScore struct {
	Day       string  `json:"day"`
	Instances int     `json:"instances"`
	Window    float64 `json:"window_s"`
	Scores    int     `json:"scores"` // machines times repetitions; without those of prediction 0
	// Hosts are the machines with a prediction above 0.
	Hosts int `json:"hosts"`
	// Mean, least and greatest are over the scores; null without one.
	Mean     *float64 `json:"mean_discrepancy"`
	Least    *float64 `json:"least_discrepancy"`
	Greatest *float64 `json:"greatest_discrepancy"`
}

// A noiseRun is a question about noise that was checked, with its defaults filled in.
type noiseRun struct {
	e     *evaluation // of the one start
	given *NoiseQuestion
	at    time.Duration
	reps  int
	noise smp.Noise
}

// mostNoise bounds the draws for all machines together.
const mostNoise = 1e6

// noisePlan checks the question about noise for a number of machines; nil if there is none.
func (e *evaluation) noisePlan(machines int) (*noiseRun, error) {
	q := e.q.Noise
	if q == nil {
		return nil, nil
	}
	r := &noiseRun{given: q, at: 8 * time.Hour, reps: q.Repetitions}
	if q.At != nil {
		if !(*q.At >= 0 && *q.At < 86400) {
			return nil, ask.Inputf("noise_at", "want a time of day 00:00 to 23:59")
		}
		r.at = time.Duration(*q.At * float64(time.Second))
	}
	r.reps = cmp.Or(r.reps, 20)
	if r.reps < 1 || float64(r.reps)*float64(machines) > mostNoise {
		return nil, ask.Inputf("repetitions", "want 1 or more, and at most 1e6 over all machines")
	}
	for _, n := range q.Instances {
		if n < 0 || n > 10000 {
			return nil, ask.Inputf("noise", "want numbers of failures 0 to 10000 such as 1,4,10")
		}
	}
	r.noise = smp.Noise{Clock: r.at, Shortest: q.Shortest, Longest: q.Longest}
	if q.Shortest == 0 && q.Longest == 0 {
		r.noise.Shortest, r.noise.Longest = 60, 1800
	}
	if !(r.noise.Shortest > 0 && r.noise.Longest >= r.noise.Shortest && r.noise.Longest <= 86400) {
		return nil, ask.Inputf("noise_duration", "want a range above 0 and up to a day such as 1min..30min")
	}
	// Windows begin at one time of day, around which the failures begin.
	one := *e
	one.starts = []float64{r.at.Seconds()}
	r.e = &one
	return r, nil
}

// parts is the number of pieces, 0 without noise.
func (r *noiseRun) parts() int {
	if r == nil {
		return 0
	}
	return len(r.e.kinds) * len(r.e.hosts) * len(r.given.Instances)
}

// run draws failures into the training days of each machine, in pieces of one kind of day, number of
// failures and machine, and gathers how far the predictions move. The pieces are numbered and seeded
// by that number, so that shards draw the same.
func (r *noiseRun) run(ctx context.Context, done func()) (*NoiseAnswer, error) {
	e, q := r.e, r.given
	perKind := len(e.hosts) * len(q.Instances)
	found := make([][][]float64, r.parts()) // [kind, instances, host][window]
	work := pieces.Work{Name: "machines, days and numbers of failures", Count: len(found), Seed: &q.Seed}
	one := func(ctx context.Context, i int) ([][]float64, error) {
		kind, n, host := i/perKind, i%perKind/len(e.hosts), i%len(e.hosts)
		return r.host(ctx, kind, q.Instances[n], host, uint64(i))
	}
	err := fold(ctx, work, discrepanciesForm, one, func(i int, by [][]float64) error {
		found[i] = by
		done()
		return nil
	})
	if err != nil {
		return nil, err
	}
	a := &NoiseAnswer{
		At:          r.at.Seconds(),
		Shortest:    r.noise.Shortest,
		Longest:     r.noise.Longest,
		Repetitions: r.reps,
		Seed:        q.Seed,
	}
	for k, day := range e.kinds {
		for n, instances := range q.Instances {
			for w, length := range e.windows {
				s := NoiseScore{Day: day, Instances: instances, Window: length}
				total := 0.0
				for h := range e.hosts {
					values := found[k*perKind+n*len(e.hosts)+h]
					// A machine with too few days has no values.
					if values == nil || len(values[w]) == 0 {
						continue
					}
					s.Hosts++
					for _, v := range values[w] {
						s.Scores++
						total += v
						widen(&s.Least, &s.Greatest, v)
					}
				}
				if s.Scores > 0 {
					s.Mean = ask.Figure(total / float64(s.Scores))
				}
				a.Scores = append(a.Scores, s)
			}
		}
	}
	return a, nil
}

// host returns the discrepancies by window of one machine. Failures are put into
// its training days only, so that prediction is held against prediction; test
// days play no part.
func (r *noiseRun) host(ctx context.Context, kind, instances, host int, part uint64) ([][]float64, error) {
	e := r.e
	clean := e.hosts[host]
	predicted := make([]*smp.Score, len(e.windows))
	var train []smp.Day
	for w := range e.windows {
		s, days, err := r.predict(ctx, clean, kind, w)
		if err != nil {
			return nil, err
		}
		// The first window with enough days says which get the noise.
		if predicted[w] = s; s != nil && train == nil {
			train = days
		}
	}
	if train == nil {
		return nil, nil
	}
	out := make([][]float64, len(e.windows))
	noise := r.noise
	noise.Instances = instances
	rng := rand.New(rand.NewPCG(r.given.Seed, part))
	for range r.reps {
		history, _, err := smp.InjectNoise(rng, clean.History, clean.Calendar, train, noise)
		if err != nil {
			return nil, err
		}
		noisy := *clean
		noisy.History = history
		for w, before := range predicted {
			// A prediction of 0 has no relative discrepancy.
			if before == nil || before.Predicted == 0 {
				continue
			}
			s, _, err := r.predict(ctx, &noisy, kind, w)
			if err != nil {
				return nil, err
			}
			if s != nil {
				v := s.Predicted/before.Predicted - 1
				out[w] = append(out[w], max(v, -v))
			}
		}
	}
	return out, nil
}

// predict returns the score of a window and its training days; nil where there
// are too few days.
func (r *noiseRun) predict(ctx context.Context, l *machines.Labelled, kind, window int) (*smp.Score, []smp.Day, error) {
	days, w, err := r.e.window(l, kind, 0, window)
	if err != nil {
		return nil, nil, err
	}
	o := r.e.options(r.e.train)
	s, err := r.e.process(ctx, days, w, o)
	if errors.Is(err, smp.ErrNoData) || err == nil && s.TestDays == 0 {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	split, err := smp.SplitDays(smp.FiveStates(), days, o)
	if err != nil {
		return nil, nil, err
	}
	return s, split.Train, nil
}
