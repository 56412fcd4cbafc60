package report

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Size says how many servers there have to be.
func Size(a *sizing.SizeAnswer) *page.Section { return sizeOf(a, "") }

// sizeOf is Size of servers with a word about them. It leads with the fewest servers. Where the
// load is a range, that is the fleet that keeps the objectives with 95 % chance over the draws, or
// comes nearest.
func sizeOf(a *sizing.SizeAnswer, word string) *page.Section {
	s := page.New("size", "How many servers?", a.Warnings, a.Explanation)
	// A curve needs other numbers over the day; the greatest of them leads.
	peak := ""
	if a.Staffing != nil {
		peak = " at the peak"
	}
	// Where the load is a range, the fleet that is safe over it leads, and that for the nominal load
	// stands below.
	if a.Recommended != nil {
		addRecommended(s, a, word)
		addDraws(s, a.Uncertainty)
		s.Say("For the nominal %s alone, %s%s:", say.Erlangs(a.OfferedLoad), say.Plural(a.Servers, a.Noun()), word)
	} else {
		s.Say("%s%s%s for %s (%s)",
			say.Plural(a.Servers, a.Noun()), word, peak, say.Erlangs(a.OfferedLoad), a.Model.Words())
	}
	addFleet(s, a.Model, &a.Figures, a.Objectives, a.Binding)
	if a.Binding == "widest_job" {
		s.Fact("binding", "the widest job", "no fewer processors could run it")
	}
	addHeadroom(s, a.Headroom)
	// The fractional need says how much room the whole number leaves.
	s.Fact("fractional need", say.Maybe(a.ServersReal, say.Number, 4))
	// What public machines add is shown in servers, like everything else.
	if a.PublicServers != nil {
		s.Fact("public servers", say.Maybe(a.PublicServers, say.Number, 7))
		s.Fact("equivalent servers", say.Maybe(a.EquivalentServers, say.Number, 4), "dedicated and public together")
		s.Fact("public machines", a.PublicCount.Words())
	}
	// What was read of the log, and how much was left out, bounds what the answer is worth.
	if l := a.Log; l != nil {
		s.Fact("jobs",
			say.Count(l.Jobs), say.Count(l.SkippedJobs)+" skipped, "+say.Plural(l.MalformedLines, "malformed line"))
		s.Fact("job rate", say.Rate(l.ArrivalRate, 4), "gaps with SCV "+say.Number(l.InterarrivalSCV, 3))
		s.Fact("mean run time", say.Duration(l.ServiceTime, 3), "SCV "+say.Number(l.ServiceSCV, 3))
		s.Fact("processors per job", say.Number(l.WidthMean, 3), "up to "+say.Count(l.WidthMax))
	}
	// The alternatives are in order of size, and the answer is put into its place among them.
	fleets := []sizing.Candidate{}
	this := sizing.Candidate{Servers: a.Servers, Met: true, Figures: a.Figures}
	for _, c := range a.Alternatives {
		if c.Servers > a.Servers {
			fleets = append(fleets, this)
		}
		fleets = append(fleets, c)
	}
	addFleets(s, a.Model, fleets)
	if a.Staffing != nil {
		addStaffing(s, a.Staffing)
	}
	// Where no fleet is recommended, the draws stand below the answer as a remark on it.
	if a.Uncertainty != nil && a.Recommended == nil {
		addDraws(s, a.Uncertainty)
	}
	addReplayed(s, a.Replay)
	addSimulation(s, a.Simulation)
	s.Plots(a, "The binding figure for fleets around the answer.")
	if a.Staffing != nil {
		s.Plots(a, "The load over the day and the servers it needs.")
	}
	return s
}

// addHeadroom adds what it takes to lose some servers. The share is of the servers that the
// objectives alone ask for.
func addHeadroom(s *page.Section, h *sizing.HeadroomAnswer) {
	if h == nil {
		return
	}
	note := fmt.Sprintf("to lose %s: %s, %s left",
		h.Words("server"), say.Plural(h.Needed, "server")+" needed", say.Count(h.Left))
	if h.Fullest > 0 {
		note += fmt.Sprintf("; up to %s in a zone", say.Count(h.Fullest))
	}
	s.Fact("headroom", say.Plural(h.Extra, "server"), fmt.Sprintf("%+.3g%% ", 100*h.Share)+note)
}

// addStaffing adds the servers over the day, by method. SIPP takes each interval as if it lasted;
// lagged SIPP takes the arrivals of one service time before; MOL takes the mean number busy in an
// unlimited system. MOL is the default.
func addStaffing(s *page.Section, st *sizing.Staffing) {
	t := s.Table("from", "arrivals", "SIPP", "lagged SIPP", "MOL")
	// All three are shown, since where they differ none of them is sure.
	t.ID, t.Caption, t.Long = "staffing", "Servers over the day, by method ("+string(st.Method)+
		" is the answer; all three are approximate)", true
	from := say.Clock
	// A curve of several days has its day before the hour.
	if n := len(st.Intervals); n > 0 && st.Intervals[n-1].Start >= 86400 {
		from = say.DayClock
	}
	// A year in steps of five minutes has 105,120 rows, but text shows only a few: cells are
	// written when they are shown.
	t.Made(len(st.Intervals), func(i int) []any {
		v := &st.Intervals[i]
		return []any{from(v.Start), say.RateCell(v.Rate, 4), say.Count(v.ServersSIPP), say.Count(v.ServersLaggedSIPP),
			say.Count(v.ServersMOL)}
	})
	// Server hours are what the day costs by each method.
	t.Rows = append(t.Rows,
		[]string{"server hours", "",
			say.Number(st.HoursSIPP, 6), say.Number(st.HoursLaggedSIPP, 6), say.Number(st.HoursMOL, 6)})
	head := strings.Fields("start_s end_s arrival_rate_per_s servers servers_sipp servers_lagged_sipp servers_mol " +
		"mol_load_erl binding")
	s.Data = []page.Data{{Name: "staffing", Each: func(row func([]string) error) error {
		if err := row(head); err != nil {
			return err
		}
		for i := range st.Intervals {
			_, cells := scalars.Of(&st.Intervals[i])
			if err := row(cells); err != nil {
				return err
			}
		}
		return nil
	}}}
}

// addRecommended leads with the fleet that is safe where the load is a range. The reason decides
// how it is put.
func addRecommended(s *page.Section, a *sizing.SizeAnswer, word string) {
	r := a.Recommended
	many, met := say.Plural(r.Servers, a.Noun())+word, say.Chance(r.Chance, a.Uncertainty.Samples)
	switch r.Reason {
	case ask.Safe:
		s.Say("%s: safe, they meet the objectives with %s chance over the given ranges (%s)",
			many, met, a.Model.Words())
	case ask.LeastRegret:
		s.Say("%s: the number of least regret; they meet the objectives with %s chance over the given ranges, and "+
			"no number reaches 95%% (%s)",
			many, met, a.Model.Words())
	default:
		s.Say("%s: not safe; they meet the objectives with %s chance over the given ranges, and no number has a "+
			"greater chance (%s)",
			many, met, a.Model.Words())
	}
}

// addDraws adds how fleets stand up to an uncertain load. Each draw of the load has its own least
// fleet; the quantiles are of these.
func addDraws(s *page.Section, u *sizing.Uncertainty) {
	quantile := func(n *int64) string {
		if n == nil {
			return "none"
		}
		return say.Count(*n)
	}
	s.Say("Over %s (seed %d) the need is %s to %s servers in 90%% of them, %s in the middle.",
		say.Plural(u.Samples, "draw"), u.Seed, quantile(u.P5), quantile(u.P95), quantile(u.P50))
	if u.Infeasible > 0 {
		// Such a draw counts as a miss for every fleet.
		s.Fact("no answer", say.Fraction(u.Infeasible, 3), "of the draws meet the objectives with no fleet")
	}
	// Without costs there is none, and no line.
	s.Fact("least regret", say.Optional(u.LeastRegret, func(n int64) string { return say.Plural(n, "server") }))
	t := s.Table("servers", "chance to meet the objectives")
	t.Long = true
	// Regret needs the cost of a server too many and of one too few.
	if u.LeastRegret != nil {
		t.Head = append(t.Head, "expected regret", "greatest regret")
	}
	for _, c := range u.Candidates {
		row := []string{say.Count(c.Servers), say.Chance(c.Chance, u.Samples)}
		if c.Regret != nil {
			row = append(row, say.Cost(u.Money, *c.Regret), say.Cost(u.Money, *c.MaxRegret))
		}
		t.Line(row...)
	}
}
