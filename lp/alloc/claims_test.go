package alloc

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// claimMethods are the methods that the paper's claims are measured on: its own
// as it stands, ours, and the best of those it compares with.
var claimMethods = [...]Method{LPRoundPaper, LPRound, UnitBig}

const (
	ofPaper = iota
	ofOurs
	ofUnitBig
)

// A claimPoint is where the claims of QoS-GRAF sections 5.3 and 5.4 are
// measured, on generated batches of one dependency: dependencies are
// independent, so that three of them are three such batches.
type claimPoint struct {
	law             CapacityLaw
	jobs, resources int
	pf, bf          float64
}

// A claimBatch is what the methods make of one batch, silent where there is no
// answer.
type claimBatch struct {
	bound     float64 // lp_bound
	revenue   [3]int64
	placed    [3]float64 // share of the jobs that a published method without an answer places
	leastLoss float64    // proven; of backups for the primaries of lp-round-paper
	loss      [3]int64
	sharing   float64 // sharing factor of lp-round-paper
}

const silent = -1

// measure returns what the methods make of the batch of a seed, nil where no
// assignment exists. The search has a tenth of its usual effort.
func (p claimPoint) measure(t testing.TB, seed uint64) *claimBatch {
	t.Helper()
	ctx := context.Background()
	b, err := Generate(ctx, GeneratorOptions{
		Dependencies:  []string{"x"},
		Jobs:          p.jobs,
		Resources:     p.resources,
		PrimaryFactor: p.pf,
		BackupFactor:  p.bf,
		Law:           p.law,
		Seed:          seed,
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	bounds, err := s.Bounds(ctx, BoundOptions{})
	if errors.Is(err, ErrInfeasible) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &claimBatch{
		bound:     bounds.LP,
		revenue:   [3]int64{silent, silent, silent},
		leastLoss: silent,
		loss:      [3]int64{silent, silent, silent},
		sharing:   silent,
	}
	var primary Choices
	for i, m := range claimMethods {
		plan, err := s.Allocate(ctx, Options{Method: m, Effort: 0.1})
		var missed *NotFoundError
		switch {
		case errors.Is(err, ErrInfeasible):
			return nil
		case errors.As(err, &missed):
			if c.placed[i] = silent; missed.Pairs > 0 {
				c.placed[i] = float64(missed.Placed) / float64(missed.Pairs)
			}
			continue
		case err != nil:
			t.Fatal(err)
		}
		if c.revenue[i] = plan.Revenue; i == ofPaper {
			primary = plan.Choices
		}
	}
	if primary == nil {
		return c
	}
	for i, m := range claimMethods {
		plan, err := s.Backup(ctx, primary, BackupOptions{Options: Options{Method: m, Effort: 0.1}})
		var missed *NotFoundError
		if errors.As(err, &missed) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		c.loss[i] = plan.Loss
		c.leastLoss = max(c.leastLoss, plan.Bounds.Best)
		if i == ofPaper {
			c.sharing = plan.SharingFactor
		}
	}
	return c
}

// sample collects a figure over batches.
type sample struct{ n, sum, square float64 }

func (s *sample) add(v float64) { s.n, s.sum, s.square = s.n+1, s.sum+v, s.square+v*v }

func (s *sample) mean() float64 { return s.sum / s.n }

// half is half the width of the 95 % confidence interval of the mean, by
// Student's t.
func (s *sample) half() float64 {
	variance := math.Max(0, s.square/s.n-s.mean()*s.mean()) / (s.n - 1)
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: s.n - 1}.Quantile(0.975) * math.Sqrt(variance)
}

// claims are the figures over the batches of a point. Each is over the batches
// in which the methods that it speaks of have an answer; nothing stands in for
// one that has none.
type claims struct {
	possible   int       // batches with an assignment
	unanswered [3]int    // batches without an answer, by method
	placed     [3]sample // share of the jobs placed in those

	gap, lead [2]sample // % below lp_bound, % above unit-big: lp-round-paper, lp-round
	within    int       // batches where lp-round-paper is at most 5 % below
	above     int       // batches where it is at least 20 % above

	ratio     [3]sample // backup loss / proven least loss, where that is not 0
	near      int       // batches where that of lp-round-paper is at most 1.05
	free      int       // batches whose proven least loss is 0
	freePaper int       // those of them where lp-round-paper loses nothing
	lossShare sample    // of lp-round-paper, % of the primary revenue
	sharing   sample    // sharing factor of lp-round-paper
}

// claimsOf sums up batches.
func claimsOf(batches []*claimBatch) *claims {
	c := &claims{}
	for _, b := range batches {
		if b == nil {
			continue
		}
		c.possible++
		for i, r := range b.revenue {
			if r == silent {
				c.unanswered[i]++
				if b.placed[i] != silent {
					c.placed[i].add(b.placed[i])
				}
			}
		}
		for i := range c.gap {
			if b.revenue[i] == silent {
				continue
			}
			c.gap[i].add(100 * (1 - float64(b.revenue[i])/b.bound))
			if unit := b.revenue[ofUnitBig]; unit != silent {
				c.lead[i].add(100 * (float64(b.revenue[i])/float64(unit) - 1))
			}
		}
		paper, unit := float64(b.revenue[ofPaper]), float64(b.revenue[ofUnitBig])
		if paper != silent && paper >= 0.95*b.bound {
			c.within++
		}
		if paper != silent && unit != silent && paper >= 1.2*unit {
			c.above++
		}
		if b.loss[ofPaper] == silent {
			continue
		}
		c.sharing.add(b.sharing)
		c.lossShare.add(100 * float64(b.loss[ofPaper]) / paper)
		if b.leastLoss == 0 {
			if c.free++; b.loss[ofPaper] == 0 {
				c.freePaper++
			}
			continue
		}
		for i, l := range b.loss {
			if l != silent {
				c.ratio[i].add(float64(l) / b.leastLoss)
			}
		}
		if float64(b.loss[ofPaper]) <= 1.05*b.leastLoss {
			c.near++
		}
	}
	return c
}

// The claims that hold in the mean over a few batches; those over many, and
// those that don't hold, are in CLAIMS.md.
func TestPaperClaims(t *testing.T) {
	for _, pf := range []float64{0.4, 0.6} {
		var batches []*claimBatch
		for seed := range uint64(6) {
			batches = append(batches, claimPoint{Literal, 100, 5, pf, 0.3}.measure(t, seed))
		}
		c := claimsOf(batches)
		if c.possible != 6 || c.gap[ofPaper].n != 6 || c.lead[ofOurs].n != 6 {
			t.Errorf("pf %v: %+v, want answers in all of 6 batches", pf, c)
		}
		if c.gap[ofPaper].mean() > 5 || c.gap[ofOurs].mean() > 0.1 {
			t.Errorf("pf %v: gaps %.3f %% and %.3f %%, want at most 5 %% and 0.1 %%",
				pf, c.gap[ofPaper].mean(), c.gap[ofOurs].mean())
		}
		if c.lead[ofOurs].mean() < 3 || c.lead[ofOurs].mean() < c.lead[ofPaper].mean() {
			t.Errorf("pf %v: lp-round is %.2f %% above unit-big, lp-round-paper %.2f %%",
				pf, c.lead[ofOurs].mean(), c.lead[ofPaper].mean())
		}
		if !(c.sharing.mean() > 1) {
			t.Errorf("pf %v: sharing factor %v, want above 1", pf, c.sharing.mean())
		}
		if c.ratio[ofOurs].n > 0 && c.ratio[ofOurs].mean() > 1.01 {
			t.Errorf("pf %v: loss is %v times the bound", pf, c.ratio[ofOurs].mean())
		}
	}
}

// A method without an answer counts in nothing but its own silence; a batch
// without an assignment counts nowhere. Sums by hand.
func TestClaimsOf(t *testing.T) {
	c := claimsOf([]*claimBatch{
		nil,
		{
			bound:     100,
			revenue:   [3]int64{96, 99, 80},
			placed:    [3]float64{1, 1, 1},
			leastLoss: 10,
			loss:      [3]int64{10, 10, 20},
			sharing:   2,
		},
		{
			bound:     100,
			revenue:   [3]int64{94, 98, silent},
			placed:    [3]float64{1, 1, 0.75},
			leastLoss: 0,
			loss:      [3]int64{4, 0, 8},
			sharing:   4,
		},
		{
			bound:     100,
			revenue:   [3]int64{silent, 97, 90},
			placed:    [3]float64{0.5, 1, 1},
			leastLoss: silent,
			loss:      [3]int64{silent, silent, silent},
			sharing:   silent,
		},
	})
	for _, v := range []struct {
		what      string
		got, want float64
	}{
		{"possible", float64(c.possible), 3},
		{"silent of the paper", float64(c.unanswered[ofPaper]), 1},
		{"silent of ours", float64(c.unanswered[ofOurs]), 0},
		{"silent of unit-big", float64(c.unanswered[ofUnitBig]), 1},
		{"placed by unit-big", c.placed[ofUnitBig].mean(), 0.75},
		{"gaps of the paper", c.gap[ofPaper].n, 2},
		{"mean gap of the paper", c.gap[ofPaper].mean(), 5},
		{"half width of it", c.gap[ofPaper].half(), 12.706204736432095},
		{"leads of the paper", c.lead[ofPaper].n, 1},
		{"mean lead of the paper", c.lead[ofPaper].mean(), 20},
		{"leads of ours", c.lead[ofOurs].n, 2},
		{"within", float64(c.within), 1},
		{"above", float64(c.above), 1},
		{"ratios", c.ratio[ofPaper].n, 1},
		{"ratio of unit-big", c.ratio[ofUnitBig].mean(), 2},
		{"near", float64(c.near), 1},
		{"free", float64(c.free), 1},
		{"free of the paper", float64(c.freePaper), 0},
		{"sharing", c.sharing.mean(), 3},
	} {
		if math.Abs(v.got-v.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", v.what, v.got, v.want)
		}
	}
}
