package planner

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/planner/ask"
)

// A FrontierAnswer is what less risk costs: each point is the cheapest mix
// found at that risk, and no point is beaten by another in both.
//
// Where inputs are ranges the risk is the chance, over the draws, that the mix
// misses the objectives. Where none is, it is the share of the mix's worth that
// stands on public machines, which may all leave at once.
type FrontierAnswer struct {
	Risk   RiskKind       `json:"risk"`
	Points []MixCandidate `json:"points"` // dearest and safest last
	// Searched is how many mixes were looked at.
	Searched int `json:"mixes_searched"`
}

// RiskKind says what the risk of a frontier is.
type RiskKind string

// The kinds of risk.
const (
	MissRisk   RiskKind = "probability_missed"
	PublicRisk RiskKind = "public_share"
)

// riskOf returns the risk of a candidate, as the frontier counts it.
func (f *FrontierAnswer) riskOf(c *MixCandidate) float64 {
	if f.Risk == MissRisk {
		return 1 - ask.Value(c.Chance)
	}
	return c.PublicShare
}

// mostRisk is the chance to miss the objectives above which a mix is no plan.
// Beyond it a point of the frontier would be a fleet that fails nearly always.
const mostRisk = 0.95

// pareto keeps of the mixes, cheapest first, those that no other beats, and of
// neighbours that differ by less than a twentieth in their risk one. The ends
// stay: they are the cheapest mix there is and the safest.
func (f *FrontierAnswer) pareto(all []MixCandidate) []MixCandidate {
	best := f.unbeaten(all)
	var kept []MixCandidate
	for i := range best {
		if i == 0 || i == len(best)-1 || f.riskOf(&best[i]) < 0.95*f.riskOf(&kept[len(kept)-1]) {
			kept = append(kept, best[i])
		}
	}
	return kept
}

// unbeaten keeps of the mixes, cheapest first, those that no other beats. Of two
// mixes of one risk the cheaper one stays.
func (f *FrontierAnswer) unbeaten(all []MixCandidate) []MixCandidate {
	var best []MixCandidate
	least := math.Inf(1)
	for i := range all {
		r := f.riskOf(&all[i])
		if f.Risk == MissRisk && r > mostRisk && i < len(all)-1 {
			continue
		}
		if r < least-1e-9 {
			least = r
			best = append(best, all[i])
		}
	}
	return best
}

// frontier gathers mixes for needs and worths between the middle and the
// ends of the draws, holds each against all draws, and keeps the best. Without
// ranges the risk is the public share, and nothing is held against draws.
func (m *chosen) frontier(ctx context.Context, j *judging) (*FrontierAnswer, error) {
	if m.answered() == nil {
		return nil, nil
	}
	if m.work.Settle(); j == nil {
		j = &judging{chosen: m}
	}
	f := &FrontierAnswer{Risk: PublicRisk}
	if j.draws != nil {
		f.Risk = MissRisk
	}
	s := newFrontierSearch(j)
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	if words := m.work.Frontier.CutWords("mixes of the frontier"); words != "" {
		m.warn(words)
	}
	all, err := s.byWorth(ctx)
	if err != nil {
		return nil, err
	}
	f.Searched = len(all)
	named := m.alongside()
	f.sort(all)
	switch {
	case j.draws == nil:
	case m.mixing.Model != nil:
		// By its own figures a mix takes up to a second a draw: only those are judged that may
		// be on the frontier.
		if all, named, err = j.byFigures(ctx, f, f.toJudge(all), named); err != nil {
			return nil, err
		}
	default:
		if err = j.hold(ctx, named); err == nil {
			all, err = j.closeIn(ctx, f, all, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	f.sort(all)
	f.Points = f.pareto(all)
	if m.work.Held.Cut > 0 {
		m.warn("the search for safe mixes ended at the work limit of a plan: cheaper safe mixes may exist")
	}
	if words := m.work.Held.RoughWords(); words != "" {
		m.warn(words)
	}
	j.candidates(all, named)
	return f, nil
}

// byFigures holds mixes against the judged draws by their own figures: some of those
// found, the cheapest for the draws, and the mixes with a name. The figures of
// mixes are found in three rounds: those chosen by worth, what lies between them,
// and all once more with the mixes that have a name.
func (j *judging) byFigures(ctx context.Context, f *FrontierAnswer, found, named []MixCandidate) (
	all, judgedNamed []MixCandidate, err error) {
	drawn, err := j.drawnMixes(ctx)
	if err != nil {
		return nil, nil, err
	}
	few := math.Min(math.Max(j.work.Held.Left/j.holding, leastJudged), mostJudged)
	all = slices.Concat(spreadOut(found, int(few)), drawn)
	if err := j.judge(ctx, all); err != nil {
		return nil, nil, err
	}
	if all, err = j.closeIn(ctx, f, all, found); err != nil {
		return nil, nil, err
	}
	// What would have been right for a draw depends on all judged mixes: once all are judged, the
	// regrets are computed again.
	both := slices.Concat(all, named)
	if err := j.judge(ctx, both); err != nil {
		return nil, nil, err
	}
	return both[:len(all):len(all)], both[len(all):], nil
}

// Bounds of the mixes held against the draws by figures: each takes up to a second a draw.
const mostJudged, leastJudged = 32, 6

// toJudge keeps the mixes that may be on the frontier once they are judged by
// their own figures: of those beyond the safest by worth a few. By worth a mix
// may look safer than it is, and so a few dearer ones are judged as well.
func (f *FrontierAnswer) toJudge(all []MixCandidate) []MixCandidate {
	best := f.unbeaten(all)
	if len(best) == 0 {
		return best
	}
	last := best[len(best)-1]
	for _, more := range []float64{1.01, 1.02, 1.03, 1.05, 1.08, 1.12} {
		for i := range all {
			if all[i].Cost >= more*last.Cost && f.riskOf(&all[i]) <= f.riskOf(&last) {
				if all[i].Cost > best[len(best)-1].Cost {
					best = append(best, all[i])
				}
				break
			}
		}
	}
	return best
}

// spreadOut keeps at most the given number of candidates, evenly spaced, with the first and the
// last among them.
func spreadOut(all []MixCandidate, most int) []MixCandidate {
	if len(all) <= most {
		return all
	}
	out := make([]MixCandidate, most)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(most-1)]
	}
	return out
}

// sort orders mixes by cost, of those of one cost the safest first.
func (f *FrontierAnswer) sort(all []MixCandidate) {
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].Cost != all[j].Cost {
			return all[i].Cost < all[j].Cost
		}
		return f.riskOf(&all[i]) < f.riskOf(&all[j])
	})
}

// alongside lists the mix and its alternatives. They are judged too and shown
// beside the frontier.
func (m *chosen) alongside() []MixCandidate {
	out := []MixCandidate{m.outset("cheapest for the most likely figures", m.counts)}
	for _, alt := range m.answer.Alternatives {
		if alt.Counts != nil {
			out = append(out, m.outset(alt.Name, alt.Counts))
		}
	}
	return out
}

// candidates fills in the mixes of the uncertainty and the least regret. The
// cheapest mix of each wanted chance and that of the least regret get a name,
// whether or not they lie on the frontier.
func (j *judging) candidates(all, named []MixCandidate) {
	u := j.uncertainty
	if u == nil || j.draws == nil {
		return
	}
	u.Candidates = append(u.Candidates, named...)
	for _, want := range wantedChances {
		for i := range all { // cheapest first
			if ask.Value(all[i].Chance) >= want.chance {
				c := all[i]
				c.Name = want.name
				u.Candidates = append(u.Candidates, c)
				break
			}
		}
	}
	if u.Shortfall == nil {
		return
	}
	pool := append(slices.Clone(all), u.Candidates...)
	best := -1
	for i := range pool {
		if r := pool[i].Regret; r != nil && (best < 0 || *r < *pool[best].Regret) {
			best = i
		}
	}
	if best >= 0 {
		c := pool[best]
		c.Name = "least regret"
		u.LeastRegret = &c
		u.Candidates = append(u.Candidates, c)
	}
}
