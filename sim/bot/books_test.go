package bot

import (
	"testing"

	"github.com/capplan/capplan/bags/spequlos"
)

// The books of a run tell a second that is not billed, one that is billed twice, a
// credit above the order and a task that is done twice.
func TestAuditFindsWhatDoesNotBalance(t *testing.T) {
	order := func() (*run, *Outcome) {
		r := &run{c: &Case{}, units: make([]unit, 2), scheduler: &spequlos.Scheduler{}, now: 7200}
		r.units[0].done = true
		r.books.start(0)
		r.books.start(1800)
		r.books.stop(0, 3600)
		return r, &Outcome{Tasks: 2, Completed: 1, Ordered: 40, Spent: 37.5, CloudTime: 9000}
	}
	if r, o := order(); r.audit(o) != nil {
		t.Errorf("what balances: %v", r.audit(o))
	}
	for name, change := range map[string]func(*run, *Outcome){
		"a second less":        func(_ *run, o *Outcome) { o.CloudTime--; o.Spent -= spequlos.CreditsPerHour / 3600 },
		"a second more":        func(_ *run, o *Outcome) { o.CloudTime++; o.Spent += spequlos.CreditsPerHour / 3600 },
		"spent without a bill": func(_ *run, o *Outcome) { o.Spent++ },
		"above the order":      func(_ *run, o *Outcome) { o.Ordered = 37 },
		"done twice":           func(_ *run, o *Outcome) { o.Completed++ },
		"done, not counted":    func(r *run, _ *Outcome) { r.units[1].done = true },
		"by the second":        func(r *run, _ *Outcome) { r.c.Billing = spequlos.ByHour }, // 1 and 2 h
	} {
		r, o := order()
		if change(r, o); r.audit(o) == nil {
			t.Errorf("%s: balances", name)
		}
	}
}
