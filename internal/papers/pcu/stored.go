package pcu

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/papers/paper"
)

// figure4.json holds the rows of PCU figures 4 and 5 from as many runs as tell the
// policies apart, some three minutes of work: capplan reproduce pcu-figure-4 --seeds
// 100 -o json makes them, of which seed, seeds and rows are kept.
//
//go:embed figure4.json
var storedFigure4 []byte

// points.json holds the points of the other simulated figures, without what is
// said of them: go test ./internal/papers/pcu -run TestStoredPoints -update-points NAMES
// simulates those anew, NAMES a pattern.
//
//go:embed points.json
var storedPoints []byte

// storedRows are those of a figure that was computed before. Seeds and Seed say how to make them
// again.
type storedRows struct {
	Seeds int         `json:"seeds"`
	Seed  uint64      `json:"seed"`
	Rows  []paper.Row `json:"rows"`
}

func rowsOfFigure4() storedRows {
	var s storedRows
	if err := json.Unmarshal(storedFigure4, &s); err != nil {
		panic("papers: figure4.json: " + err.Error()) // part of the program
	}
	return s
}

func rowsOfPoints() map[string]storedRows {
	all := map[string]storedRows{}
	if err := json.Unmarshal(storedPoints, &all); err != nil {
		panic("papers: points.json: " + err.Error()) // part of the program
	}
	return all
}

// defaults says whether a question of a simulated figure of PCU asks for nothing of
// its own.
func defaults(q *paper.Question) bool {
	return q.Seeds == 0 && q.Seed <= 1 && scaleOf(q) == 1 && q.JobLog == nil
}

// takeStored takes rows that were computed before. Verdicts are not part of stored rows.
func takeStored(a *paper.Reproduction, s storedRows) {
	a.Seed = &s.Seed
	a.Rows = append(a.Rows, s.Rows...)
	a.Reproduced += fmt.Sprintf("; %d runs behind each point", s.Seeds)
}

// A poolFigure is a simulated figure of PCU: its points, and what the text says of
// them. simulate adds the points, and judge the rows that compare them.
type poolFigure struct {
	stored   string // under which name its points are
	points   int    // that are simulated
	simulate func(context.Context, *poolStudy) error
	judge    func(*poolStudy)
}

// show simulates the points, or takes those that are stored where nothing else is
// asked, and then compares with the text: a verdict is never stored.
func (f poolFigure) show(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	stored, ok := rowsOfPoints()[f.stored]
	if ok && defaults(q) {
		takeStored(a, stored)
		f.judge(&poolStudy{question: q, answer: a})
		return nil
	}
	s := pools(q, a, f.points)
	if err := f.simulate(ctx, s); err != nil || a.Kept {
		return err
	}
	f.judge(s)
	return nil
}

// at returns the point of a figure; what it came to is NaN where nothing did. high is the upper end
// of the interval, or the mean where there is none.
func (s *poolStudy) at(quantity, series string, x float64) (mean, high float64) {
	for _, r := range s.answer.Rows {
		if r.Quantity != quantity || r.Series != series || r.X == nil || *r.X != x || r.Computed == nil {
			continue
		}
		if r.High == nil {
			return *r.Computed, *r.Computed
		}
		return *r.Computed, *r.High
	}
	return math.NaN(), math.NaN()
}

// mean is the first of what at returns.
func (s *poolStudy) mean(quantity, series string, x float64) float64 {
	m, _ := s.at(quantity, series, x)
	return m
}
