package alloc

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// sample collects a figure over seeds.
type sample struct{ n, sum, square float64 }

func (s *sample) add(v float64) { s.n, s.sum, s.square = s.n+1, s.sum+v, s.square+v*v }

func (s *sample) mean() float64 { return s.sum / s.n }

// half is half the width of the 95 % confidence interval of the mean.
func (s *sample) half() float64 {
	return 1.96 * math.Sqrt(math.Max(0, s.square/s.n-s.mean()*s.mean())/math.Max(1, s.n-1))
}

// claims are the figures of QoS-GRAF sections 5.3 and 5.4 on generated
// batches of one dependency: dependencies are independent, so that three of
// them are three such batches.
type claims struct {
	paperGap, gap    sample // % below lp_bound: lp-round-paper, lp-round
	paperLead, lead  sample // % above unit-big
	paperRatio       sample // backup loss / proven least loss, where that is not 0: lp-round-paper
	ratio, unitRatio sample // lp-round, unit-big
	sharing          sample // sharing factor of lp-round-paper
	within, above    int    // seeds with paperGap at most 5, paperLead at least 20
	near             int    // seeds with paperRatio at most 1.05
	free, freePaper  int    // seeds whose proven least loss is 0, and those of them where lp-round-paper loses nothing
	paperLoss        sample // % of the primary revenue
	infeasible       int
}

func measure(t testing.TB, law CapacityLaw, jobs, resources int, pf, bf float64, seeds int) claims {
	t.Helper()
	var c claims
	ctx := context.Background()
	for seed := range seeds {
		b, err := Generate(context.Background(), GeneratorOptions{Dependencies: []string{"x"}, Jobs: jobs, Resources: resources, PrimaryFactor: pf, BackupFactor: bf, Law: law, Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		plans := map[Method]*Plan{}
		for _, m := range []Method{LPRound, LPRoundPaper, UnitBig} {
			p, err := s.Allocate(ctx, Options{Method: m, Effort: 0.1})
			if err != nil {
				c.infeasible++
				break
			}
			plans[m] = p
		}
		if len(plans) < 3 {
			continue
		}
		best, paper, unit := float64(plans[LPRound].Revenue), float64(plans[LPRoundPaper].Revenue), float64(plans[UnitBig].Revenue)
		bound := plans[LPRound].Bounds.LP
		c.paperGap.add(100 * (1 - paper/bound))
		c.gap.add(100 * (1 - best/bound))
		c.paperLead.add(100 * (paper/unit - 1))
		c.lead.add(100 * (best/unit - 1))
		if paper >= 0.95*bound {
			c.within++
		}
		if paper >= 1.2*unit {
			c.above++
		}
		loss := map[Method]float64{}
		floor := 0.0
		for _, m := range []Method{LPRound, LPRoundPaper, UnitBig} {
			p, err := s.Backup(ctx, plans[LPRoundPaper].Choices, BackupOptions{Options: Options{Method: m, Effort: 0.1}})
			if err != nil {
				t.Fatal(err)
			}
			loss[m] = float64(p.Loss)
			switch m {
			case LPRound:
				floor = p.Bounds.Best
			case LPRoundPaper:
				c.sharing.add(p.SharingFactor)
				c.paperLoss.add(100 * float64(p.Loss) / paper)
			}
		}
		if floor > 0 {
			c.ratio.add(loss[LPRound] / floor)
			c.paperRatio.add(loss[LPRoundPaper] / floor)
			c.unitRatio.add(loss[UnitBig] / floor)
			if loss[LPRoundPaper] <= 1.05*floor {
				c.near++
			}
			continue
		}
		c.free++
		if loss[LPRoundPaper] == 0 {
			c.freePaper++
		}
	}
	return c
}

// The claims that hold in the mean over a few seeds are tests; those over
// many, and those that don't hold, are in BenchmarkClaims.
func TestPaperClaims(t *testing.T) {
	for _, pf := range []float64{0.4, 0.6} {
		c := measure(t, Literal, 100, 5, pf, 0.3, 6)
		if c.paperGap.mean() > 5 || c.gap.mean() > 0.1 {
			t.Errorf("pf %v: gaps %.3f %% and %.3f %%, want at most 5 %% and 0.1 %%", pf, c.paperGap.mean(), c.gap.mean())
		}
		if c.lead.mean() < 3 || c.lead.mean() < c.paperLead.mean() {
			t.Errorf("pf %v: lp-round is %.2f %% above unit-big, lp-round-paper %.2f %%", pf, c.lead.mean(), c.paperLead.mean())
		}
		if !(c.sharing.mean() > 1) {
			t.Errorf("pf %v: sharing factor %v, want above 1", pf, c.sharing.mean())
		}
		if c.ratio.n > 0 && c.ratio.mean() > 1.01 {
			t.Errorf("pf %v: loss is %v times the bound", pf, c.ratio.mean())
		}
	}
}

// BenchmarkClaims measures the paper's claims over 100 seeds, by capacity law,
// size and availability (the middles of the paper's ranges), and prints the
// rows of CLAIMS.md:
//
//	go test ./lp/alloc -run '^$' -bench Claims -benchtime 1x -timeout 2h
func BenchmarkClaims(b *testing.B) {
	for _, law := range []CapacityLaw{Literal, Relative} {
		for _, size := range [][2]int{{100, 10}, {200, 20}} {
			for n, f := range [][2]float64{{0.375, 0.115}, {0.625, 0.225}, {0.875, 0.35}} {
				b.Run(fmt.Sprintf("law=%s/jobs=%d/pf=%v/bf=%v", law, size[0], f[0], f[1]), func(b *testing.B) {
					for b.Loop() {
						c := measure(b, law, size[0], size[1], f[0], f[1], 100)
						b.ReportMetric(c.paperGap.mean(), "gap-%")
						b.ReportMetric(c.paperLead.mean(), "over-unit-big-%")
						cell := func(s *sample) string {
							if s.n == 0 {
								return "-"
							}
							return fmt.Sprintf("%.4g ± %.2g", s.mean(), s.half())
						}
						fmt.Printf("\n| %s | %d, %d | %s %v | %v | %s | %d | %s | %s | %d | %s |\n", law, size[0], size[1], []string{"low", "medium", "high"}[n], f[0], c.paperGap.n,
							cell(&c.paperGap), c.within, cell(&c.gap), cell(&c.paperLead), c.above, cell(&c.lead))
						fmt.Printf("| %s | %d, %d | %s %v | %v | %s | %d | %s | %s | %d of %d | %s | %s |\n", law, size[0], size[1], []string{"low", "medium", "high"}[n], f[1], c.paperRatio.n,
							cell(&c.paperRatio), c.near, cell(&c.ratio), cell(&c.unitRatio), c.freePaper, c.free, cell(&c.paperLoss), cell(&c.sharing))
					}
				})
			}
		}
	}
}
