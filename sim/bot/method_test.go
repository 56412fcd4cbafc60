package bot

import (
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
)

// The designs of package bags reschedule. Of the three methods with the same start
// and number of workers, on the same machines, it is the one to take: flat is later
// and dearer, since machines of the bag take what is left; and copies on a server of
// their own cost no less, to within 2 %, and are no sooner.
func TestRescheduleIsCheapest(t *testing.T) {
	const runs = 12
	for _, k := range []struct {
		hosts  string
		server Server
		start  float64
	}{{"nd", XWHEP, 0.94}, {"spot10", XWHEP, 0.9}, {"nd", BOINC, 0.9}, {"g5klyo", XWHEP, 0.5}} {
		hours, ends := map[spequlos.How]float64{}, map[spequlos.How]float64{}
		for _, how := range []spequlos.How{spequlos.Reschedule, spequlos.Flat, spequlos.Duplicate} {
			c := &Case{
				Bag:    bags.Bags()[0],
				Hosts:  platform(t, k.hosts),
				Server: k.server,
				Strategy: &spequlos.Strategy{
					When:    spequlos.When{Trigger: spequlos.Completed, Share: k.start},
					HowMany: spequlos.HowMany{Amount: spequlos.Exactly, Workers: 15},
					How:     how,
				},
				Cloud:   Cloud{Boot: DefaultBoot},
				Credits: 1e9,
			}
			for i := range runs {
				o := simulate(t, c, i)
				hours[how] += o.CloudTime / 3600 / runs
				ends[how] += o.End / runs
			}
		}
		t.Logf("%s %v: hours %v, ends %v", k.hosts, k.server, hours, ends)
		for _, how := range []spequlos.How{spequlos.Flat, spequlos.Duplicate} {
			if hours[how] < 0.98*hours[spequlos.Reschedule] || ends[how] < 0.995*ends[spequlos.Reschedule] {
				t.Errorf("%s %v: %c takes %v h and is done at %v s, reschedule %v h and %v s", k.hosts, k.server, how, hours[how], ends[how], hours[spequlos.Reschedule], ends[spequlos.Reschedule])
			}
		}
	}
}
