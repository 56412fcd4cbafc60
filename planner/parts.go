package planner

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// traffic puts what comes in together from the parts load and service.
func (q *PlanQuestion) traffic() sizing.Traffic {
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
func (q *PlanQuestion) measured() *traffic.Service {
	if v := q.Service; v != nil && v.Measured != nil {
		return v.Measured
	}
	if q.Load != nil && q.Load.Curve != nil {
		return q.Load.Service
	}
	return nil
}

// recorded says how the record of traffic of the part is read.
func (l *PlanLoad) recorded() records.Traffic {
	return records.Traffic{Columns: l.Columns, Day: l.Day, Week: l.Week, Zone: l.Zone, Interval: l.Interval}
}

// recordOption is the first field that says how a record of traffic is read;
// empty where none is given.
func (l *PlanLoad) recordOption() string {
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
func (l *PlanLoad) growth() *sizing.Growth {
	if l == nil || l.Times == nil && l.Growth == nil && l.Until == nil && l.AsOf == nil {
		return nil
	}
	return &sizing.Growth{Times: l.Times, Rate: l.Growth, Until: l.Until, AsOf: l.AsOf}
}

// limits are the objectives that a fleet of equal servers has.
func (q *PlanQuestion) limits() sizing.Objectives {
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
func (q *PlanQuestion) SizeQuestion() *sizing.SizeQuestion {
	v := ask.Value(q.Service)
	p := newPlanning(q)
	return &sizing.SizeQuestion{
		Traffic:    p.Traffic,
		Objectives: p.limits,
		Model:      v.Model,
		Staffing:   v.Staffing,
		Samples:    q.samples(),
		Seed:       p.seed,
		Explain:    q.Explain,
		Headroom:   q.Headroom(),
	}
}

// money is the form of all prices of the question: nil where they are plain
// prices an hour. Two currencies are an error of the second field that has one.
func (q *PlanQuestion) money() (*units.PriceForm, error) {
	var (
		forms  []units.PriceForm
		fields []string
	)
	add := func(field string, f units.PriceForm) { forms, fields = append(forms, f), append(fields, field) }
	for i := range q.Machines {
		if p := q.Machines[i].Price; p != nil {
			add(fmt.Sprintf("machines[%d].price", i), p.Form())
		}
	}
	if o := q.Objectives; o != nil && o.Budget != nil {
		add("objectives.budget", o.Budget.Form)
	}
	if c := q.Costs; c != nil && c.Shortfall != nil {
		add("costs.shortfall", c.Shortfall.Form)
	}
	common, clashed := units.OneForm(forms...)
	if clashed == "" {
		if common == (units.PriceForm{}) {
			return nil, nil
		}
		return &common, nil
	}
	first := slices.IndexFunc(forms, func(f units.PriceForm) bool { return f.Currency == common.Currency })
	second := slices.IndexFunc(forms, func(f units.PriceForm) bool { return f.Currency == clashed })
	return nil, clash(fields[first], fields[second],
		fmt.Sprintf("one is in %s and the other in %s", common.Currency, clashed),
		"all prices in one currency: capplan knows no rates of exchange")
}

// checkMoney holds all prices to one currency.
func (q *PlanQuestion) checkMoney() error {
	_, err := q.money()
	return err
}

// perHour is an amount of money an hour; 0 where none is given.
func perHour(m *units.Money) float64 {
	if m == nil {
		return 0
	}
	return cents(float64(m.Price) * hour)
}

// price writes an amount per hour as the prices of the question are written.
func (p *planning) price(perHour float64) string {
	return p.a.Money.Write(ask.Digits(cents(p.a.Money.Amount(perHour))))
}

// shortfall is the price of a missing server of speed 1; nil: none is given.
func (q *PlanQuestion) shortfall() *units.Money { return ask.Value(q.Costs).Shortfall }

// Listed are the clusters, of the question or of its file.
func (r *PlanRouting) Listed() []routes.Cluster {
	if r.listed != nil {
		return r.listed.Clusters
	}
	return r.Clusters
}

// Listed is the batch, of the question or of its file; nil without one.
func (a *PlanAllocation) Listed() *allocation.BatchFile {
	if a.listed != nil {
		return a.listed
	}
	return a.Batch
}

// labelling returns the thresholds and the clock of the part.
func (v *PlanAvailability) labelling() (machines.Labelling, error) {
	if v == nil {
		return machines.Labelling{}, nil
	}
	l := machines.Labelling{
		Period:     number(v.Period),
		Light:      number(v.Light),
		Heavy:      number(v.Heavy),
		Grace:      number(v.Grace),
		Gap:        number(v.Gap),
		WorkingSet: number(v.WorkingSet),
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

// sizedParts are the fields of sizing's questions that a plan has elsewhere.
var sizedParts = map[string]string{
	"load":              "load",
	"scv":               "load",
	"arrival_scv":       "load.arrival_scv",
	"service_scv":       "service.scv",
	"load_curve":        "load.curve",
	"swf":               "load.log",
	"rate":              "load.rate",
	"service_time":      "service.time",
	"patience":          "service.patience",
	"model":             "service.model",
	"staffing":          "service.staffing",
	"objective":         "objectives.responses",
	"public_count":      "objectives.public_count",
	"max_blocking":      "objectives.max_blocking",
	"max_wait":          "objectives.max_wait",
	"percentile":        "objectives.percentile",
	"service_level_of":  "objectives.service_level_of",
	"max_mean_wait":     "objectives.max_mean_wait",
	"max_mean_response": "objectives.max_mean_response",
	"max_response":      "objectives.max_response",
	"max_utilization":   "objectives.max_utilization",
	"max_abandon":       "objectives.max_abandon",
}

// sized says of which part of the plan an error of its fleet is: a fleet is put
// together from the parts load, service and objectives.
func sized(err error) error {
	var input *ask.InputError
	if !errors.As(err, &input) {
		return err
	}
	path, ok := sizedParts[input.Field]
	if !ok {
		return err
	}
	out := *input
	out.Field = path
	return &out
}

// number turns an optional quantity into an optional number in SI units.
func number[T ~float64](v *T) *float64 {
	if v == nil {
		return nil
	}
	return new(float64(*v))
}

// whole turns an optional count into an optional number.
func whole(v *units.Count) *int64 {
	if v == nil {
		return nil
	}
	return new(int64(*v))
}
