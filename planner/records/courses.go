package records

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
)

// Courses reads when each machine of a trace was there, from any file of Lifetimes
// but one of durations. The closed forms of bags need laws; a simulation can run
// on the very machines that were recorded.
type Courses struct {
	Lifetimes // how to read; its Tally is not
	// Budget is what all machines at spot prices may cost together, in US dollars an
	// hour: the i-th is bid Budget/i for, so that as many run as it pays. It takes
	// the place of Bid. Source: SpeQuloS section 4.1.1.
	Budget *float64

	Records  []hosts.Record // by machine, over one span for all
	Machines []string
}

// Read reads a file, a folder or an archive. A machine counts as away while it was
// not watched. Time up in two intervals that touch is one: a record may be cut
// where nothing changed.
func (c *Courses) Read(ctx context.Context, path string) error {
	if c.Budget != nil {
		return c.readPrices(ctx, path)
	}
	// Of up to four million intervals no more is kept than their ends and whose they are.
	type span struct {
		start, end float64
		node       int
	}
	var all []span
	var names []string
	// The span of all is that from the first look at any machine to the last at
	// any.
	first, last := math.Inf(1), math.Inf(-1)
	watched := 0.0
	c.Tally = tally.NewUpDown(true)
	c.Tally.Hear(func(i trace.Interval) {
		first, last = min(first, i.Start), max(last, i.End)
		watched += i.End - i.Start
		// Only times up are kept. The rest of the span is time away, whether the
		// machine was seen down or was not watched.
		if i.Up {
			all = append(all, span{i.Start, i.End, i.Node})
			for len(names) <= i.Node {
				names = append(names, "")
			}
			names[i.Node] = i.Name
		}
	})
	if err := c.Lifetimes.Read(ctx, path); err != nil {
		return err
	}
	if c.Durations != nil {
		return ask.Inputf("hosts",
			"%s holds durations, which do not say when a machine was there; want a trace, or laws by %s and %s",
			path, ask.FieldName("up"), ask.FieldName("down"))
	}
	if !(last > first) {
		return ask.Inputf("hosts", "%s: no machine is watched for any time", path)
	}
	c.Records, c.Machines = make([]hosts.Record, len(names)), names
	for i := range c.Records {
		c.Records[i].Span = last - first
	}
	for _, i := range all {
		r := &c.Records[i.node]
		r.Changes = joined(r.Changes, i.start-first, i.end-first)
	}
	c.close()
	if c.undated > 1 {
		ask.Warn(&c.Warnings, "%s: the %d spot traces have no dates: all are taken to begin at the same time",
			path, c.undated)
	}
	// A machine that nobody watched looks as if it had been away, and where that
	// is a twentieth of all time or more it changes what is found.
	if share := watched / (last - first) / float64(max(1, len(c.Records))); share < 0.95 {
		ask.Warn(&c.Warnings, "%s: machines are watched for %.3g%% of the record, and count as away for the rest",
			path, 100*share)
	}
	if len(c.Records) == 0 {
		return ask.Inputf("hosts", "%s: no machine is ever there", path)
	}
	return nil
}

// joined adds a time up to changes, and joins it to one that ends where it
// begins. Intervals come in order of their start, and so only the last can be
// touched.
func joined(changes []float64, start, end float64) []float64 {
	if n := len(changes); n > 0 && changes[n-1] >= start {
		changes[n-1] = max(changes[n-1], end)
		return changes
	}
	return append(changes, start, end)
}

// close drops ends that are that of the span. A machine that is up at the end of
// the record has no change there: it may well have stayed.
func (c *Courses) close() {
	for i := range c.Records {
		r := &c.Records[i]
		if n := len(r.Changes); n > 0 && r.Changes[n-1] >= r.Span {
			r.Changes = r.Changes[:n-1]
		}
	}
}

// mostInstances is to how many a budget is divided at most. Beyond a hundred
// thousand the courses would fill memory, and one budget is hardly spread over
// more.
const mostInstances = 100000

// readPrices makes nested courses of the prices of one kind of instance. The i-th
// instance runs while the price is at most budget/i, so that instance 2 is there
// only when 1 is, and all together never cost more than the budget.
func (c *Courses) readPrices(ctx context.Context, path string) error {
	budget := *c.Budget
	if !(budget > 0) || math.IsInf(budget, 1) {
		return ask.Inputf("budget", "is %s, want US dollars an hour above 0 such as 10", ask.Digits(budget))
	}
	if c.Bid != nil {
		return ask.Inputf("bid", "a budget sets the bids: give either a budget or a bid")
	}
	open := c.Open
	open.Want = "spot prices in CSV, time,price_usd_per_hour; plain, .gz or .xz"
	src, err := source.Open(ctx, path, open)
	if err != nil {
		return err
	}
	defer src.Close()
	type held struct{ start, end, price float64 }
	var prices []held
	// Prices are kept, and so counted against the memory that a reader may use.
	kept := source.Keeper{What: "prices", Want: "fewer of them"}
	var full error
	log, err := trace.ReadSpotPrices(ctx, src.Name, src, trace.SpotPriceOptions{
		Strict: c.Strict,
		Price: func(start, end, price float64) {
			prices = append(prices, held{start, end, price})
			if err := kept.Keep(src.Name); err != nil {
				full = err
			}
		},
		// The intervals of the reader are by one bid and are not used; its prices
		// are.
	}, func(trace.Interval) error { return full })
	if err != nil {
		return err
	}
	c.Warnings = append(append(c.Warnings, log.Warnings...), malformed(&log.Malformed, src.Name)...)
	// At the least price the budget buys the most instances.
	least := slices.MinFunc(prices, func(a, b held) int { return cmp.Compare(a.price, b.price) }).price
	n := mostInstances
	if most := budget / least; most < mostInstances {
		n = int(most)
	}
	switch {
	case n == 0:
		return ask.Inputf("budget", "buys no instance: the lowest price is %s US dollars an hour", ask.Digits(least))
	case n == mostInstances:
		ask.Warn(&c.Warnings, "the budget buys more than %d instances, the most that are used", mostInstances)
	}
	first, last := prices[0].start, prices[len(prices)-1].end
	for i := range n {
		r := hosts.Record{Span: last - first}
		for _, p := range prices {
			if p.price <= budget/float64(i+1) {
				r.Changes = joined(r.Changes, p.start-first, p.end-first)
			}
		}
		c.Records, c.Machines = append(c.Records, r), append(c.Machines, fmt.Sprintf("bid %d", i+1))
	}
	c.close()
	return nil
}
