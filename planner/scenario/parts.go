package scenario

import (
	"slices"
	"time"

	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/traffic"
)

// Incoming puts what comes in together from the parts load and service. The
// growth is put in here, so that all parts see the load that is meant.
func (q *Question) Incoming() sizing.Traffic {
	var t sizing.Traffic
	if l := q.Load; l != nil {
		t.OfferedLoad, t.Rate, t.Curve, t.Log, t.ArrivalSCV = l.Erlangs, l.Rate, l.Curve, l.Log, l.ArrivalSCV
	}
	t.Growth = q.Load.growth()
	if v := q.Service; v != nil {
		t.ServiceTime, t.ServiceSCV, t.Patience = v.Time, v.SCV, v.Patience
	}
	if t.ServiceTime == nil {
		records.Serve(&t, q.measured())
	}
	if grown, err := t.Grown(); err == nil { // checkLoad names the error
		return grown
	}
	return t
}

// measured is what durations say of the service, those of a file of their own
// before those beside the load; nil: there are none.
func (q *Question) measured() *traffic.Service {
	if v := q.Service; v != nil && v.Measured != nil {
		return v.Measured
	}
	if q.Load != nil && q.Load.Curve != nil {
		return q.Load.Service
	}
	return nil
}

// recorded says how the record of traffic of the part is read.
func (l *Load) recorded() records.Traffic {
	return records.Traffic{Columns: l.Columns, Day: l.Day, Week: l.Week, Zone: l.Zone, Interval: l.Interval}
}

// recordOption is the first field that says how a record of traffic is read;
// empty where none is given.
func (l *Load) recordOption() string {
	switch {
	case l.Columns != "":
		return "columns"
	case l.Day != nil:
		return "day"
	case l.Week != nil:
		return "week"
	case l.Zone != "":
		return "zone"
	case l.Interval != nil:
		return "interval"
	}
	return ""
}

// growth is how much more comes in than what the part load says; nil: as much.
func (l *Load) growth() *growth.Growth {
	if l == nil || l.Times == nil && l.Growth == nil && l.Until == nil && l.AsOf == nil {
		return nil
	}
	return &growth.Growth{Times: l.Times, Rate: l.Growth, Until: l.Until, AsOf: l.AsOf}
}

// Limits are the objectives that a fleet of equal servers has. Limits that only
// machines have, such as a budget or a public share, stay with the plan.
func (q *Question) Limits() sizing.Objectives {
	o := ask.Value(q.Objectives)
	return sizing.Objectives{
		MaxBlocking:     o.MaxBlocking,
		MaxWait:         o.MaxWait,
		Percentile:      o.Percentile,
		ServiceLevelOf:  o.ServiceLevelOf,
		MaxMeanWait:     o.MaxMeanWait,
		MaxMeanResponse: o.MaxMeanResponse,
		MaxResponse:     o.MaxResponse,
		Responses:       o.Responses,
		MaxUtilization:  o.MaxUtilization,
		MaxAbandon:      o.MaxAbandon,
	}
}

// SizeQuestion is what the plan asks of servers of speed 1 alone.
func (q *Question) SizeQuestion() *sizing.SizeQuestion {
	v := ask.Value(q.Service)
	return &sizing.SizeQuestion{
		Traffic:    q.Incoming(),
		Objectives: q.Limits(),
		Model:      v.Model,
		Staffing:   v.Staffing,
		Samples:    q.DrawCount(),
		Seed:       q.FirstSeed(),
		Explain:    q.Explain,
		Headroom:   q.Headroom(),
	}
}

// Listed are the clusters, of the question or of its file.
func (r *Routing) Listed() []routes.Cluster {
	if r.listed != nil {
		return r.listed.Clusters
	}
	return r.Clusters
}

// ListedTypes are the types of requests of its file, beside those of the question.
func (r *Routing) ListedTypes() []routes.RequestType {
	if r.listed == nil {
		return nil
	}
	return slices.Clip(r.listed.Types)
}

// Listed is the batch, of the question or of its file; nil without one.
func (a *Allocation) Listed() *allocation.BatchFile {
	if a.listed != nil {
		return a.listed
	}
	return a.Batch
}

// Labelling returns the thresholds and the clock of the part.
func (v *Availability) Labelling() (machines.Labelling, error) {
	if v == nil {
		return machines.Labelling{}, nil
	}
	l := machines.Labelling{
		Period:     ask.Number(v.Period),
		Light:      ask.Number(v.Light),
		Heavy:      ask.Number(v.Heavy),
		Grace:      ask.Number(v.Grace),
		Gap:        ask.Number(v.Gap),
		WorkingSet: ask.Number(v.WorkingSet),
	}
	if v.Zone != "" {
		where, err := time.LoadLocation(v.Zone)
		if err != nil {
			return l, wrong("zone", "a name such as Europe/Berlin", "%q: no such time zone", v.Zone)
		}
		l.Location = where
	}
	return l, nil
}

// Question is what the part itself says.
func (l *Link) Question() *survival.LinkQuestion {
	return &survival.LinkQuestion{
		Uplink:    ask.Number(l.Uplink),
		Downlink:  ask.Number(l.Downlink),
		Footprint: ask.Number(l.Footprint),
		Replicas:  ask.Whole(l.Replicas),
		Dedicated: ask.Whole(l.Dedicated),
	}
}
