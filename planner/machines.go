package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// named returns the type of machine of a name. The field is that which the error
// names.
func (p *premises) named(field, name string) (int, error) {
	names := make([]string, len(p.types))
	for i := range p.types {
		if names[i] = p.types[i].Name; names[i] == name {
			return i, nil
		}
	}
	return 0, ask.Inputf(field, "the plan has no machine %q%s", name, spell.Aside(name, names))
}

// likeliest warns that a part which takes figures of a type as they are takes
// the most likely of those that are ranges. The parts checkpoint and replicas
// show the times that they take in their answers.
func (p *premises) likeliest(part string, t *worth.Machine, figures ...rangedFigure) {
	var ranged []string
	for _, f := range figures {
		if f.ranged != "" {
			ranged = append(ranged, fmt.Sprintf("%s %s as %s", f.name, f.ranged, f.likeliest))
		}
	}
	if len(ranged) == 0 {
		return
	}
	p.warn(fmt.Sprintf("%s: the most likely values of %s are used, not the ranges: %s",
		part, t.Name, strings.Join(ranged, ", ")))
}

// A rangedFigure is a figure of a type that may be uncertain.
type rangedFigure struct{ name, ranged, likeliest string }

// rangeNamed states a figure; it is empty where nothing is given or nothing uncertain.
func rangeNamed[T units.Quantity](name string, r *units.Range[T]) rangedFigure {
	if r == nil || r.IsPoint() {
		return rangedFigure{}
	}
	return rangedFigure{name, r.String(), units.Point(r.Nominal()).String()}
}

// comings returns the figures that say how much of the time a machine is there.
func comings(t *worth.Machine) []rangedFigure {
	if t.Availability != nil {
		return []rangedFigure{rangeNamed("availability", t.Availability)}
	}
	return []rangedFigure{rangeNamed("mttf", t.MTTF), rangeNamed("mttr", t.MTTR)}
}

// saved fills in the times of the part checkpoint that its machines give. The
// times of a machine are its failures: the job is cut off when its machine goes.
func (p *premises) saved(q *survival.CheckpointQuestion) error {
	if p.Checkpoint.Machine == "" {
		return nil
	}
	i, err := p.named("checkpoint.machine", p.Checkpoint.Machine)
	if err != nil {
		return err
	}
	t := &p.types[i]
	switch {
	case q.MTBF != nil:
		return ask.Inputf("checkpoint.mtbf",
			"mtbf and machine contradict each other: each gives the time between failures")
	case t.MeanUp == nil:
		return ask.Inputf("checkpoint.machine",
			"%s has no mttf and mttr, and no trace that shows them: its failures have no rate", t.Name)
	}
	if q.MTBF = t.MeanUp; q.MTTR == nil {
		q.MTTR = t.MeanDown
	}
	return nil
}

// replicated fills in the times of the part replicas from its machines. If a type has only an
// availability, only the ratio of the two times is known, which determines the number of replicas;
// timeless then says that no length of time has a meaning.
func (p *premises) replicated(q *survival.ReplicasQuestion) (timeless bool, err error) {
	if p.Replicas.Machine == "" {
		return false, nil
	}
	const field = "replicas.machine"
	i, err := p.named(field, p.Replicas.Machine)
	if err != nil {
		return false, err
	}
	t := &p.types[i]
	up := t.Nominal().Up()
	switch {
	case q.MTTF != nil || q.MTTR != nil || q.Trace != nil || len(q.Pool) > 0:
		return false, ask.Inputf(field,
			"machine contradicts mttf, mttr, trace and pool: each says how long a replica is up")
	case t.Source() == "":
		return false, ask.Inputf(field,
			"%s is always available: give it mttf and mttr, an availability, a trace or a prediction", t.Name)
	case t.MeanUp != nil:
		q.MTTF, q.MTTR = t.MeanUp, t.MeanDown
		return false, nil
	case q.Window != nil:
		return false, ask.Inputf("replicas.window",
			"%s has no mttf and mttr: the number up throughout a window depends on them", t.Name)
	case up >= 1:
		return false, ask.Inputf(field, "%s was up all the time: one machine is enough for any target", t.Name)
	}
	// Only the ratio counts, so that times of the availability and the rest, in
	// any unit, give the number of replicas.
	q.MTTF, q.MTTR = ask.Figure(up), ask.Figure(1-up)
	return true, nil
}

// withoutTimes takes away what has a length of time in it. Times to outages in
// the unit that [premises.replicated] has chosen would look like seconds.
func withoutTimes(a *survival.ReplicasAnswer) {
	a.MTTF, a.MTTR, a.MeanToOutage = nil, nil, nil
	a.AllDownRate, a.AllDownTime, a.OutageRate, a.OutageTime = nil, nil, nil, nil
}

// routedMachines fills in clusters that are a number of machines of a type:
//
//	servers       count·Pav/k
//	service time  service.time/speed
//	price         of a request: (price of a machine·k/Pav)·service time
//
// What the cluster gives itself stays. For uncertain figures the most likely value is used, with a
// warning. A cluster without a machine is returned as it is.
func (l *leading) routedMachines(clusters []routes.Cluster) ([]routes.Cluster, error) {
	if !slices.ContainsFunc(clusters, func(c routes.Cluster) bool { return c.Machine != "" }) {
		return clusters, nil
	}
	out := slices.Clone(clusters)
	for j := range out {
		c := &out[j]
		if c.Machine == "" {
			continue
		}
		at := func(field string) string { return fmt.Sprintf("routing.clusters[%d].%s", j, field) }
		i, err := l.named(at("machine"), c.Machine)
		if err != nil {
			return nil, err
		}
		n, err := l.counted(at("count"), i, c.Count)
		if err != nil {
			return nil, err
		}
		t := &l.types[i]
		figures := t.Nominal()
		each := t.WorthAt(1, figures) // servers of its own speed
		if n*each < 1 {
			return nil, ask.Inputf(at("count"),
				"cluster %q: %s of %s are there as %s servers, %s of the time and %s copies of each request, "+
					"want at least 1 server",
				c.Name, ask.Digits(n), t.Name, ask.Digits(n*each), percent(figures.Up()),
				ask.Digits(t.Copies))
		}
		c.Servers = new(units.Number(n * each))
		taken := comings(t)
		if c.External.ServiceTime == 0 {
			if l.ServiceTime == nil {
				return nil, ask.Missing(at("external.service_time"),
					"the service time on one server such as 1s, or service.time, which is then divided by the speed "+
						"of the machine")
			}
			c.External.ServiceTime = units.Duration(float64(l.ServiceTime.Nominal()) / figures.Speed)
			taken = append(taken, rangeNamed("speed", t.Speed), rangeNamed("service.time", l.ServiceTime))
		}
		c.External.SCV = cmp.Or(c.External.SCV, l.ServiceSCV)
		if c.Price == nil && t.Price != nil {
			c.Price = &units.Amount{
				// The price of a request is that of a server for as long as the
				// request is served.
				Number:   units.Number(figures.Price / each * float64(c.External.ServiceTime)),
				Currency: ask.Value(l.money).Currency,
			}
		}
		l.likeliest(fmt.Sprintf("routing.clusters[%d]", j), t, taken...)
		// What was filled in no longer follows from a machine.
		c.Machine, c.Count = "", nil
	}
	return out, nil
}

// allocatedMachines makes a resource of each machine that a resource of a batch
// stands for: of its capacities, with the speed of the type and its price by the
// hour where the resource gives none. Jobs eligible for the resource are for
// each of the machines. A batch counts resources by name, and so machines of one
// type become resources with numbers.
func (l *leading) allocatedMachines(batch *allocation.BatchFile) (*allocation.BatchFile, error) {
	if batch == nil || !slices.ContainsFunc(batch.Resources,
		func(r allocation.BatchResource) bool { return r.Machine != "" }) {
		return batch, nil
	}
	// Stands notes by which names jobs find the machines of a resource.
	var resources []allocation.BatchResource
	var from []int
	stands := map[string][]string{}
	for j, r := range batch.Resources {
		if r.Machine == "" {
			resources, from = append(resources, r), append(from, j)
			continue
		}
		at := func(field string) string { return fmt.Sprintf("allocation.batch.resources[%d].%s", j, field) }
		i, err := l.named(at("machine"), r.Machine)
		if err != nil {
			return nil, err
		}
		n, err := l.counted(at("count"), i, r.Count)
		if err != nil {
			return nil, err
		}
		if n > allocation.MostBatchMachines {
			return nil, ask.Inputf(at("count"), "resource %s: %s machines, want at most %d",
				r.ID, ask.Digits(n), allocation.MostBatchMachines)
		}
		t := &l.types[i]
		figures := t.Nominal()
		var taken []rangedFigure
		if r.Speed == nil {
			r.Speed = new(units.Number(figures.Speed))
			taken = append(taken, rangeNamed("speed", t.Speed))
		}
		if r.Price == nil && t.Price != nil {
			r.Price = &units.Amount{
				Number:   units.Number(units.ExactCents(figures.PerHour())),
				Currency: ask.Value(l.money).Currency,
			}
			taken = append(taken, rangeNamed("price", t.Price))
		}
		l.likeliest(fmt.Sprintf("allocation.batch.resources[%d]", j), t, taken...)
		r.Machine, r.Count = "", nil
		id := r.ID
		for k := range int(n) {
			if n > 1 {
				r.ID = fmt.Sprintf("%s-%d", id, k+1)
			}
			stands[id] = append(stands[id], r.ID)
			resources, from = append(resources, r), append(from, j)
		}
	}
	out := batch.WithResources(resources, from)
	out.Jobs = slices.Clone(batch.Jobs)
	for j := range out.Jobs {
		eligible := slices.Clone(out.Jobs[j].Eligible)
		for d := range eligible {
			var ids []string
			for _, id := range eligible[d].Value {
				if all := stands[id]; all != nil {
					ids = append(ids, all...)
				} else {
					ids = append(ids, id)
				}
			}
			eligible[d].Value = ids
		}
		out.Jobs[j].Eligible = eligible
	}
	return out, out.CheckAt(nil) // prices of machines have a currency too
}
