package bags

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim/bot"
	"github.com/capplan/capplan/units"
)

// A FinishQuestion asks when a bag is done and, if By is given, for the cheapest help with which it
// is done by then.
type FinishQuestion struct {
	Bag    *bags.Bag       `json:"-"`
	Hosts  *hosts.Platform `json:"-"`
	Server string          `json:"server,omitempty"` // see [ServerNames]; empty: xwhep

	// By is the deadline, counted from the submission; nil: no help is designed.
	By   *float64 `json:"by_s,omitempty"`
	With *float64 `json:"with,omitempty"` // the wanted chance; nil: 0.95
	// Margin is the share by which everything may take longer than the closed form says while the
	// design still holds; nil: 0.03, with which randomly drawn designs held.
	Margin     *float64 `json:"margin,omitempty"`
	CloudPrice *float64 `json:"cloud_price_per_h,omitempty"` // of a worker; nil: costs are in hours
	// Money is how the price was written; nil: it had no currency.
	Money      *units.PriceForm `json:"money,omitempty"`
	CloudSpeed *float64         `json:"cloud_speed,omitempty"` // operations a second; nil: 3000
	Boot       *float64         `json:"boot_s,omitempty"`      // nil: 2 min
	Hourly     bool             `json:"hourly,omitempty"`      // each hour that a worker begins is paid in full
	Credits    *float64         `json:"credits,omitempty"`     // that may be spent, 15 per hour; nil: no limit
	// MostWorkers is the greatest number at a time; 0: any number. A search does not respect it.
	MostWorkers int `json:"-"`

	// Replications above 0 check the design by this number of simulated runs.
	Replications int `json:"replications,omitempty"`
	// Bounded says that nobody asked for that number: fewer check the design where they take long.
	Bounded bool `json:"-"`
	// Search looks by simulation for the cheapest help that is in time, shown on Replications runs
	// with a confidence of 95 %. Replications of 0 then mean [SearchReplications].
	Search   bool               `json:"search,omitempty"`
	Seed     uint64             `json:"seed,omitempty"`
	Explain  bool               `json:"explain,omitempty"`
	Progress func(done, of int) `json:"-"`
}

// PriceAs sets the price of a cloud worker as it was written. units.Money holds prices per second;
// cloud workers are paid by the hour.
func (q *FinishQuestion) PriceAs(m units.Money) {
	if q == nil {
		return
	}
	q.CloudPrice = new(float64(m.Price) * 3600)
	if m.Form != (units.PriceForm{}) {
		q.Money = &m.Form
	}
}

// Percentiles of a time in seconds; null beyond the end of the law.
type Percentiles struct {
	P5  *float64 `json:"p5"`
	P50 *float64 `json:"p50"`
	P95 *float64 `json:"p95"`
	P99 *float64 `json:"p99"`
}

// defaultMargin is what designs need to be in time with the wanted chance. With it, and also with
// 5 %, which costs up to 3 times as much, 22 of 23 drawn designs were in time (TestDrawnDesignsHold
// in package sim/bot); with it, and with designs of few waves judged, 396 of 397 on drawn machines
// were too (TestMostDrawnDesignsHold).
const defaultMargin = 0.03

// plateauSpan is the ratio of the ends of [bags.FinishLaw.Plateau] above which a quantile is called
// uncertain. It is smaller in the cases of TestFinishAgainstSimulation that keep within their
// bounds.
const plateauSpan = 1.5

// A Design is help, with its risk.
type Design struct {
	Start   float64 `json:"start"`   // share of the tasks done when workers are started
	Workers int     `json:"workers"` // 0: no help is needed
	// Method is reschedule or none. The other methods, with the same start and number of workers,
	// are no cheaper (TestRescheduleIsCheapest in package sim/bot).
	Method   string   `json:"method"`
	Strategy string   `json:"strategy"` // for simulate bot
	Hours    float64  `json:"hours"`    // expected, of all workers; those begun if these are paid
	Cost     *float64 `json:"cost"`     // expected; null without a price
	// Chance is the chance of being in time by the closed form. If runs found the design, or judged it
	// where the law is drawn, it, LateChance and Finish are shares of runs.
	Chance float64 `json:"chance"`
	// LateChance is that chance if everything takes longer by the margin; it is the one that the
	// design keeps.
	LateChance float64 `json:"chance_with_margin"`
	// Judged says how often the design was in time in separate runs, from which the hours and the
	// frontier are computed too. It is null for a design by the formula, except for the designs of
	// few waves that wavesInDoubt is about.
	Judged *Judged     `json:"judged,omitempty"`
	Finish Percentiles `json:"finish_s"`
}

// A FrontierPoint is the least time for an expense.
type FrontierPoint struct {
	By float64 `json:"by_s"` // with the chance asked for
	// Hours is the expected sum over all workers.
	Hours   float64  `json:"hours"`
	Cost    *float64 `json:"cost"`
	Start   float64  `json:"start"`
	Workers int      `json:"workers"`
}

// tailTasks is the least number of tasks that have a tail. With fewer, nine tenths are only done
// when the last task is: every run takes 0.9 of its ideal time t_c(0.9)/0.9, whatever happens, and
// the slowdown says nothing.
const tailTasks = 10

// A FinishAnswer says when a bag is done.
type FinishAnswer struct {
	// Money is how the price was written; left out without a currency.
	Money        *units.PriceForm `json:"money,omitempty"`
	Finish       Percentiles      `json:"finish_s"`
	TailSlowdown *float64         `json:"tail_slowdown"` // of the median; null below tailTasks tasks
	Ideal        *float64         `json:"ideal_s"`       // null if so much of the bag is hardly ever done
	Half         *float64         `json:"half_s"`        // expected time at which half is done; null like ideal_s
	Alpha        *float64         `json:"alpha"`         // of a prediction at half, from the median; null without one
	Chance       *float64         `json:"chance"`        // by the deadline without help; null without one
	Design       *Design          `json:"design"`        // null without a deadline
	Margin       float64          `json:"margin"`        // that the design allows for
	// Hourly is true if all hours of help are those billed: each that a worker begins.
	Hourly bool `json:"hourly,omitempty"`
	// Frontier is what more hours of help buy, by rising hours.
	Frontier   []FrontierPoint `json:"frontier"`
	Simulation *FinishCheck    `json:"simulation"` // null unless asked for
	Search     *FinishSearch   `json:"search"`     // null unless asked for, or if nothing was found
	// Drawn is the number of simulated runs that the law is made of, where the formula does not
	// hold: on few machines, on machines that come and go together, and for unlike tasks under BOINC
	// or with help. Left out if the law is the formula.
	Drawn int `json:"drawn_runs,omitempty"`
	// DrawnP50 and DrawnP95 are what chance leaves open of the median and the 95% point of a drawn
	// law; left out like Drawn.
	DrawnP50 *simulate.Interval `json:"drawn_p50_s,omitempty"`
	DrawnP95 *simulate.Interval `json:"drawn_p95_s,omitempty"`

	Bag string `json:"bag"`
	// Tasks is the mean number of tasks of the bag.
	Tasks    float64 `json:"tasks"`
	Hosts    string  `json:"hosts"`
	Machines int     `json:"machines"`
	// There is the mean number of machines that are up.
	There       float64          `json:"machines_there"`
	Server      string           `json:"server"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`

	// Doubt says what would answer better than the formulas that Warnings question.
	Doubt Doubt `json:"-"`

	law    *bags.FinishLaw
	helped func(p float64) float64 // quantiles of the time with the help of Design
	by     float64                 // the deadline, 0: none
	byRuns bool                    // the frontier, like the design, is from simulated runs
}

// A Doubt is what an answer by formulas leaves to a simulation; of two, the greater counts.
type Doubt int

const (
	NoDoubt Doubt = iota
	// DoubtTimes: a simulation of the same question gives the times.
	DoubtTimes
	// DoubtCost: a search by simulation may find cheaper help.
	DoubtCost
)

// doubt adds a warning about the formulas, and what would answer better.
func (a *FinishAnswer) doubt(d Doubt, format string, args ...any) {
	a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...))
	a.Doubt = max(a.Doubt, d)
}

// Done answers a FinishQuestion. Errors: *ask.InputError; *ask.InfeasibleError if no help meets the
// deadline, or if no machine can finish a task.
func Done(ctx context.Context, q *FinishQuestion) (*FinishAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if with := q.chance(); q.Search && q.Replications == 0 && with > 0 && with < 1 {
		// The caller's question is not changed.
		searched := *q
		searched.Replications, searched.Bounded = SearchReplications(with), true
		q = &searched
	}
	// The case is without help; help is designed from its law.
	c, err := (&SimulateQuestion{Bag: q.Bag, Hosts: q.Hosts, Server: q.Server}).kase()
	if err != nil {
		return nil, err
	}
	law, drawn, err := lawOf(ctx, c, q.By != nil)
	if err != nil {
		return nil, err
	}
	a := &FinishAnswer{
		Money:  q.Money,
		Finish: percentiles(law.Quantile),
		Ideal:  ask.Figure(law.Ideal), Half: ask.Figure(law.Half),
		Bag: q.Bag.Name, Tasks: q.Bag.MeanSize(),
		Hosts: q.Hosts.Name, Machines: q.Hosts.Machines(), There: float64(q.Hosts.Machines()) * q.Hosts.Availability(),
		Server: c.Server.String(), Frontier: []FrontierPoint{},
		Drawn: drawn, Hourly: q.Hourly,
		law: law,
	}
	if drawn > 0 {
		a.DrawnP50, a.DrawnP95 = drawnInterval(law, 0.5, drawn), drawnInterval(law, 0.95, drawn)
	}
	if m := law.Quantile(0.5); law.Ideal > 0 && !math.IsInf(m, 1) {
		if a.Tasks >= tailTasks {
			a.TailSlowdown = ask.Figure(m / law.Ideal)
		}
		a.Alpha = ask.Figure(m / (2 * law.Half))
	}
	if err := a.design(ctx, q, c); err != nil {
		return nil, err
	}
	a.warn(q)
	if q.Replications > 0 {
		if err := a.check(ctx, q); err != nil {
			return nil, err
		}
	}
	if q.Search {
		if err := a.search(ctx, q, c); err != nil {
			return nil, err
		}
	}
	if q.Explain {
		a.explain()
	}
	return a, nil
}

// percentiles reads the percentiles of an answer off a law.
func percentiles(quantile func(float64) float64) Percentiles {
	return Percentiles{
		P5:  ask.Figure(quantile(0.05)),
		P50: ask.Figure(quantile(0.5)),
		P95: ask.Figure(quantile(0.95)),
		P99: ask.Figure(quantile(0.99)),
	}
}

// cloud returns where help comes from.
func (q *FinishQuestion) cloud() (bags.Cloud, error) {
	c := bags.Cloud{
		Speed: bot.CloudSpeed.Mean, SD: bot.CloudSpeed.SD, Boot: bot.DefaultBoot, Look: spequlos.Period}
	if q.CloudSpeed != nil {
		c.Speed, c.SD = *q.CloudSpeed, 0
	}
	if q.Boot != nil {
		c.Boot = *q.Boot
	}
	c.Most, c.Hourly = q.MostWorkers, q.Hourly
	const most = 1e15 // up to here floats keep whole numbers, and so cents
	switch {
	case q.CloudPrice != nil && !(*q.CloudPrice >= 0 && *q.CloudPrice <= most):
		return c, ask.Inputf("cloud_price", "is %s an hour, want 0 to 1e15 an hour, such as 0.1/h",
			ask.Digits(*q.CloudPrice))
	case q.Credits != nil && !(*q.Credits >= 0 && *q.Credits <= most):
		return c, ask.Inputf("credits", "is %s, want 0 to 1e15 credits", ask.Digits(*q.Credits))
	}
	var domain *bags.DomainError
	if err := c.Check(); errors.As(err, &domain) {
		return c, misfit("cloud_speed", "Cloud."+domain.Arg, domain.Value, domain.Want)
	}
	return c, nil
}

// warn says where the closed form is known to be wrong.
func (a *FinishAnswer) warn(q *FinishQuestion) {
	switch {
	case a.Finish.P50 == nil && q.Hosts.Departure > 0:
		a.Warnings = append(a.Warnings,
			"half of such bags are never done within the computed times, since the machines leave for good "+
				"first: use more machines or a smaller bag")
	case a.Finish.P50 == nil && a.Server == bot.Checkpoint.String():
		a.Warnings = append(a.Warnings,
			"half of such bags are never done within the computed times: use shorter tasks, or save their work more often")
	case a.Finish.P50 == nil:
		a.Warnings = append(a.Warnings,
			"hardly any machine stays as long as a task takes, so half of such bags are never done within the "+
				"computed times: use shorter tasks, or tasks that keep checkpoints (the server checkpoint)")
	}
	if a.Drawn == 0 {
		a.warnOfFormula(q)
	}
	if len(q.Hosts.Records) == 0 && q.Hosts.Population == nil && q.Hosts.Groups.Count == 0 {
		if w := spreadWarning(q.Hosts); w != "" {
			a.Warnings = append(a.Warnings, w)
		}
	}
}

// HoursName is what hours of help are called.
func (a *FinishAnswer) HoursName() string {
	if a.Hourly {
		return "billed hours"
	}
	return "worker hours"
}
