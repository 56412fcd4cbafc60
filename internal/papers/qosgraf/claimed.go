package qosgraf

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
)

// claim adds a row for each point of the figure that the text speaks of. Two
// methods are compared over the batches in which both have an answer. x is a factor or a number of
// jobs; a claim about a range of x takes the points in it.
func claim(a *paper.Reproduction, s *allocation.StudyAnswer, c studyClaim) {
	if c.lower > 0 {
		claimed(a, s, c, math.NaN(), func() (over, under []float64) {
			over, under = c.byBatch(s, c.above, c.below), c.byBatch(s, 0, c.lower)
			if over == nil || under == nil {
				return nil, nil
			}
			return over, under
		})
		return
	}
	for p, x := range s.Points() {
		if c.below > 0 && (x < c.above || x > c.below) {
			continue
		}
		claimed(a, s, c, x, func() (over, under []float64) { return c.paired(s, p) })
	}
}

// claimed adds the row of a claim at x, NaN where it is of many points, with what
// it compares by batch. of returns two lists of the same length, whose ratio of means is compared.
// A claim without a method is a mean, and compares with 1.
func claimed(a *paper.Reproduction, s *allocation.StudyAnswer, c studyClaim, x float64,
	of func() (over, under []float64)) {
	row := paper.Row{Quantity: c.what, Printed: &c.printed, Note: c.note, Resources: new(s.Resources)}
	if !math.IsNaN(x) {
		row.X = ask.Figure(x)
	}
	if c.printedTo > 0 {
		row.PrintedTo = &c.printedTo
	}
	over, under := of()
	n := len(over)
	row.Batches = &n
	v, half := ratioOfMeans(over, under)
	if sign := 1.0; c.method != "" {
		if c.inverse {
			sign = -1
		}
		v = sign * (v - c.less)
	}
	if row.Computed = ask.Figure(v); row.Computed != nil && n > 1 {
		row.Low, row.High = ask.Figure(v-half), ask.Figure(v+half)
	}
	// A claim on one batch has no interval, and its verdict is left open.
	reason := ""
	switch {
	case n == 0:
		reason = "one of the two has no answer in any batch"
	case row.Computed == nil:
		reason = "nothing is lost to compare with"
	case n < 2:
		row.Verdict, reason = paper.CannotBeTold, "one batch"
	}
	row.Note = strings.TrimPrefix(row.Note+"; "+reason, "; ")
	row.Note = strings.TrimSuffix(row.Note, "; ")
	a.Add(row)
}

// byBatch returns the mean of what a claim is about over the points between two x at
// which the method has an answer in every batch, by batch; nothing where there is no
// such point. Points without an answer in some batch would make means of different batches.
func (c studyClaim) byBatch(s *allocation.StudyAnswer, from, to float64) []float64 {
	means, points := make([]float64, s.Seeds), 0.0
	for p, x := range s.Points() {
		if !(x >= from && x <= to) {
			continue
		}
		var values []float64
		for _, sums := range s.Sums(p, c.quantity, c.class) {
			if v, ok := sums[c.over]; ok {
				values = append(values, v)
			}
		}
		if len(values) == len(means) {
			points++
			floats.Add(means, values)
		}
	}
	if points == 0 {
		return nil
	}
	floats.Scale(1/points, means)
	return means
}

// paired returns the sums that a claim compares, by batch, of a point; under is
// 1 throughout where it compares with nothing. Batches in which either method has no answer are
// left out of both.
func (c studyClaim) paired(s *allocation.StudyAnswer, point int) (over, under []float64) {
	all := s.Sums(point, c.quantity, c.class)
	chosen := all
	if c.levels != nil {
		chosen = s.Sums(point, c.quantity, c.class, c.levels...)
	}
	switch {
	case c.greatest:
		all = c.others(s, point)
	case c.ofAll:
		all = s.Sums(point, c.quantity, "")
	}
	for i, sums := range all {
		x, ok := chosen[i][c.over]
		y := 1.0
		switch {
		case c.levels != nil || c.ofAll:
			y, ok = sums[c.over] // a level that nothing is at has no row
		case c.method != "" && ok:
			y, ok = sums[c.method]
		}
		if ok {
			over, under = append(over, x), append(under, y)
		}
	}
	return over, under
}

// others returns by batch and method the most of any class and level but those of
// the claim. Four levels and three classes are those of section 5.2.
func (c studyClaim) others(s *allocation.StudyAnswer, point int) []map[string]float64 {
	var most []map[string]float64
	for _, class := range []string{"small", "medium", "large"} {
		for level := 1; level <= 4; level++ {
			if class == c.class && slices.Contains(c.levels, level) {
				continue
			}
			for i, sums := range s.Sums(point, c.quantity, class, level) {
				if i == len(most) {
					most = append(most, map[string]float64{})
				}
				for method, v := range sums {
					most[i][method] = max(most[i][method], v)
				}
			}
		}
	}
	return most
}

// meanOf returns the arithmetic mean, 0 of nothing. The sum of few values needs no compensation.
func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / math.Max(1, float64(len(values)))
}

// ratioOfMeans returns the ratio of two means over the same batches, with half
// of its 95 % interval by linearization: the deviation of x − r·y over the mean
// of y (Cochran 1977, section 6.4), by Student's t. NaN where there is none.
func ratioOfMeans(x, y []float64) (r, half float64) {
	n := float64(len(x))
	if r = meanOf(x) / meanOf(y); n < 2 || math.IsNaN(r) || math.IsInf(r, 0) {
		return r, math.NaN()
	}
	square := 0.0
	for i := range x {
		square += (x[i] - r*y[i]) * (x[i] - r*y[i])
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return r, t * math.Sqrt(square/(n-1)/n) / math.Abs(meanOf(y))
}
