package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// studyFigure draws a figure of the study of allocation. What the figure goes over decides its
// form: a line over numbers, bars for classes and methods, points for jobs.
func studyFigure(a *allocation.StudyAnswer) page.Figure {
	c := chart.Chart{
		Title: a.Title,
		Subtitle: fmt.Sprintf("%s jobs, %s resources of each dependency, mean and 95%% interval over %d batches",
			say.Count(a.Jobs), say.Count(a.Resources), a.Seeds),
		YLabel: strings.ReplaceAll(a.Quantity, "_", " "),
	}
	if a.Unit != "" {
		c.YLabel += " (" + a.Unit + ")"
	}
	c.YMin = new(0.0) // an interval may reach below, no figure does
	switch a.Over {
	case "class":
		if a.Rows[0].Level != nil {
			// With levels the classes are stacked by them, without they have a bar for each method.
			studyLevels(&c, a)
		} else {
			studyClasses(&c, a)
		}
	case "method":
		studyUnused(&c, a)
	case "job":
		studyJobs(&c, a)
	case "failures":
		return studyFailures(c, a)
	default:
		c.XLabel = strings.ReplaceAll(a.Over, "_", " ")
		c.Series = studyLines(a, a.Quantity)
	}
	return page.Figure{ID: "study", Chart: c}
}

// whisker adds the interval of a row to a series where it has one. A row of one batch has none.
func whisker(s *chart.Series, r *allocation.StudyRow) {
	if r.Low != nil && r.High != nil {
		s.YLow, s.YHigh = append(s.YLow, *r.Low), append(s.YHigh, *r.High)
	}
}

// WholeWhiskers drops the whiskers where not every point has them. A chart takes whiskers for every
// point of a series or for none.
func WholeWhiskers(all []chart.Series) []chart.Series {
	for i := range all {
		if len(all[i].YLow) != len(all[i].X) {
			all[i].YLow, all[i].YHigh = nil, nil
		}
	}
	return all
}

// studyLines is a line for each method. A line keeps its points in the order of the rows. A point
// of one batch has a whisker of no length, so that the others keep theirs.
func studyLines(a *allocation.StudyAnswer, quantity string) []chart.Series {
	var all []chart.Series
	for _, m := range a.Methods {
		s := chart.Series{Name: m, Style: chart.Line}
		// Rows of other quantities are part of the table.
		for i := range a.Rows {
			if r := &a.Rows[i]; r.Method == m && r.Quantity == quantity && r.X != nil {
				s.X, s.Y = append(s.X, *r.X), append(s.Y, r.Mean)
				if r.Low == nil { // one batch at this point: no width
					s.YLow, s.YHigh = append(s.YLow, r.Mean), append(s.YHigh, r.Mean)
				}
				whisker(&s, r)
			}
		}
		if len(s.X) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// studyClasses is a group of bars for each class, a bar for each method. Rows by dependency are
// part of the table only.
func studyClasses(c *chart.Chart, a *allocation.StudyAnswer) {
	c.XLabel = "class of job"
	for _, m := range a.Methods {
		s := chart.Series{Name: m, Style: chart.Bars}
		for i := range a.Rows {
			r := &a.Rows[i]
			if r.Method != m || r.Dependency != nil {
				continue
			}
			// Classes stand in the order in which the rows first name them, small to large.
			k := slices.Index(c.XNames, *r.Class)
			if k < 0 {
				k = len(c.XNames)
				c.XNames = append(c.XNames, *r.Class)
			}
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, r.Mean)
			whisker(&s, r)
		}
		c.Series = append(c.Series, s)
	}
	c.Series = WholeWhiskers(c.Series)
}

// studyLevels is a stack of levels for each class and method. The level of service that jobs of a
// class get is what the methods differ in.
func studyLevels(c *chart.Chart, a *allocation.StudyAnswer) {
	c.Arrange = chart.Stacked
	// One dependency is drawn, since jobs have a level for each.
	c.Subtitle = fmt.Sprintf("%s jobs, %s resources, dependency %s, mean over %d batches",
		say.Count(a.Jobs), say.Count(a.Resources), *a.Rows[0].Dependency, a.Seeds)
	var classes []string
	for i := range a.Rows {
		if cl := *a.Rows[i].Class; !slices.Contains(classes, cl) {
			classes = append(classes, cl)
		}
	}
	for _, cl := range classes {
		for _, m := range a.Methods {
			c.XNames = append(c.XNames, cl+": "+m)
		}
	}
	at := map[int]int{}
	for i := range a.Rows {
		r := &a.Rows[i]
		k, ok := at[*r.Level]
		if !ok {
			k = len(c.Series)
			at[*r.Level] = k
			// Each level has a bar of each class and method, most of them 0, so that bars of the
			// same place are stacked.
			c.Series = append(c.Series, chart.Series{
				Name:  levelName(*r.Level),
				Style: chart.Bars,
				X:     make([]float64, len(c.XNames)),
				Y:     make([]float64, len(c.XNames)),
			})
			for j := range c.XNames {
				c.Series[k].X[j] = float64(j)
			}
		}
		c.Series[k].Y[slices.Index(c.XNames, *r.Class+": "+r.Method)] = r.Mean
	}
}

// studyUnused is the mean and the most unused of each method. Means over resources hide one that is
// idle, which the second bar shows.
func studyUnused(c *chart.Chart, a *allocation.StudyAnswer) {
	c.YLabel, c.XNames = "unused share of the capacity", a.Methods
	for _, q := range []struct {
		quantity, name string
	}{{"mean_unused", "mean over resources"}, {"most_unused", "most of any resource"}} {
		s := chart.Series{Name: q.name, Style: chart.Bars}
		for k, m := range a.Methods {
			for i := range a.Rows {
				if r := &a.Rows[i]; r.Method == m && r.Quantity == q.quantity && r.Dependency == nil {
					s.X, s.Y = append(s.X, float64(k)), append(s.Y, r.Mean)
					whisker(&s, r)
				}
			}
		}
		c.Series = append(c.Series, s)
	}
	c.Series = WholeWhiskers(c.Series)
}

// studyJobs is a point for each job, by class. Jobs have no order but that of their classes,
// between which a line stands.
func studyJobs(c *chart.Chart, a *allocation.StudyAnswer) {
	c.Subtitle = fmt.Sprintf("%s jobs of one batch (seed %d), dependency %s", say.Count(a.Jobs), a.Seed,
		*a.Rows[0].Dependency)
	c.XLabel = "job, the classes one after another"
	for _, m := range a.Methods {
		s := chart.Series{Name: m, Style: chart.Points}
		class, start := "", 0.0
		for i := range a.Rows {
			r := &a.Rows[i]
			if r.Method != m {
				continue
			}
			x := float64(len(s.X) + 1)
			if *r.Class != class {
				class, start = *r.Class, x
				if m == a.Methods[0] {
					c.VLines = append(c.VLines, chart.Rule{Value: start - 0.5, Label: class})
				}
			}
			s.X, s.Y = append(s.X, x), append(s.Y, r.Mean)
		}
		c.Series = append(c.Series, s)
	}
}

// studyFailures is the loss above the jobs that stopped or are unprotected. Both share the axis of
// failures.
func studyFailures(c chart.Chart, a *allocation.StudyAnswer) page.Figure {
	top := c
	top.Title, top.YLabel = a.Title, "loss so far ("+a.Unit+")"
	top.Series = studyLines(a, "loss")
	// Room of a fifth beside the first and the last failure keeps whiskers off the frame.
	first, last := 0.8, top.Series[0].X[len(top.Series[0].X)-1]+0.2
	bottom := chart.Chart{XLabel: "resources failed", YLabel: "jobs", XStep: 1, XMin: &first, XMax: &last, YMin: c.YMin}
	// Two quantities of each method share a panel, with different names.
	for _, q := range []string{"unprotected", "stopped"} {
		for _, s := range studyLines(a, q) {
			s.Name = q + ", " + s.Name
			bottom.Series = append(bottom.Series, s)
		}
	}
	return page.Figure{ID: "study", Top: &top, Chart: bottom}
}
