package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// Check finds what can be seen without any model: fields that need or exclude
// one another, and words that are not known. Errors: *ask.InputError.
func (q *Question) Check() error {
	for _, check := range []func() error{
		q.checkLoad, q.checkService, q.checkObjectives, q.checkMachines, q.checkParts, q.checkMachineNames,
		q.checkWords, q.checkMoney, q.checkGroups, q.checkIdle,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// clash is the error for two fields that exclude each other; it names the second.
func clash(first, second, why, want string) error {
	return &ask.InputError{Field: second, With: first, Reason: why, Want: want}
}

// wrong is the error of a field.
func wrong(field, want, format string, args ...any) error {
	return &ask.InputError{Field: field, Reason: fmt.Sprintf(format, args...), Want: want}
}

// checkLoad finds a load that is given in no way or in more than one, and options of a record without
// a record. Rate and erlangs may stand together, since they give the service time.
func (q *Question) checkLoad() error {
	l := q.Load
	if l == nil {
		return nil
	}
	var forms []string
	for _, f := range []struct {
		field string
		given bool
	}{
		{"load.rate", l.Rate != nil},
		{"load.erlangs", l.Erlangs != nil},
		{"load.curve", l.CurveFile != "" || l.Curve != nil},
		{"load.log", l.LogFile != "" || l.Log != nil},
	} {
		if f.given {
			forms = append(forms, f.field)
		}
	}
	log, curve := slices.Contains(forms, "load.log"), slices.Contains(forms, "load.curve")
	rateAndLoad := len(forms) == 2 && l.Rate != nil && l.Erlangs != nil
	service := q.Service != nil && q.Service.Time != nil
	recorded := l.recorded()
	switch {
	case !curve && l.recordOption() != "":
		return wrong("load."+l.recordOption(),
			"load.curve, the file of the record", "it says how a record of traffic is read, but there is no record")
	case len(forms) == 0:
		return wrong("load", "one of rate, erlangs, curve and log", "a load without an amount")
	case rateAndLoad && service:
		return clash("load.erlangs", "service.time", "load.rate and one of them determine the other",
			"two of the three")
	case len(forms) > 1 && !rateAndLoad:
		return clash(forms[0], forms[1], "each gives the whole load", "one of them")
	case log && service:
		return clash("load.log", "service.time", "a log has its own run times", "one of them")
	case !log && (l.From != nil || l.To != nil):
		return wrong("load.from", "load.log, or neither", "from and to select a part of a log, and there is no "+
			"load.log")
	case curve && service && !q.Service.Time.IsPoint():
		return wrong("service.time", "one value", "a range beside load.curve")
	case l.From != nil && l.To != nil && *l.To <= *l.From:
		return clash("load.from", "load.to", "the part of the log ends before it begins", "a later end")
	}
	if err := recorded.Check(); err != nil {
		return ask.In("load", err)
	}
	if g := l.growth(); g != nil && log {
		return wrong("load.growth", "a load that is a rate, erlangs or a curve",
			"a log is the load that was, job by job")
	} else if _, err := g.Factor(); err != nil {
		return ask.In("load", err)
	}
	return nil
}

// checkService finds service times that are given twice, and patience that the model does not have.
func (q *Question) checkService() error {
	v := q.Service
	switch {
	case v == nil:
		return nil
	case v.Time != nil && (v.File != "" || v.Measured != nil):
		return clash("service.time", "service.file", "each gives the service time", "one of them")
	case (v.File != "" || v.Measured != nil) && q.Load != nil && (q.Load.LogFile != "" || q.Load.Log != nil):
		return clash("load.log", "service.file", "a log has its own run times", "one of them")
	case v.Time != nil && v.Time.Low == 0:
		return wrong("service.time", "a mean time above 0 such as 100s", "%s", v.Time)
	case v.Model != "" && v.Model != sizing.Abandon && v.Patience != nil:
		return clash("service.model", "service.patience", "in the model "+string(v.Model)+" nobody gives up",
			"model abandon, or no patience")
	case v.Model == sizing.Abandon && v.Patience == nil:
		return wrong("service.model", "service.patience such as 2min", "the model abandon without a patience")
	}
	return v.checkShape()
}

// checkObjectives finds limits that no answer could depend on, and those that contradict the model or
// each other.
func (q *Question) checkObjectives() error {
	o := q.Objectives
	if o == nil {
		return nil
	}
	v := ask.Value(q.Service)
	// Any one of the limits on waits serves to name what the model loss does not have.
	wait := ""
	switch {
	case o.MaxWait != nil:
		wait = "objectives.max_wait"
	case o.MaxMeanWait != nil:
		wait = "objectives.max_mean_wait"
	case o.MaxMeanResponse != nil:
		wait = "objectives.max_mean_response"
	case o.MaxResponse != nil:
		wait = "objectives.max_response"
	case len(o.Responses) > 0:
		wait = "objectives.responses"
	}
	switch {
	case o.Percentile != nil && o.MaxWait == nil && o.MaxResponse == nil:
		return wrong("objectives.percentile", "objectives.max_wait or objectives.max_response beside it",
			"a percentile without a limit on waits or responses")
	case v.Model == sizing.Loss && wait != "":
		return clash("service.model",
			wait, "nobody waits where an arrival that finds all servers busy is lost", "model wait, or max_blocking")
	case o.MaxAbandon != nil && v.Patience == nil:
		return wrong("objectives.max_abandon", "service.patience such as 2min", "nobody gives up without a patience")
	case o.MaxMeanResponse != nil && v.Time != nil && *o.MaxMeanResponse < v.Time.Nominal() && !q.faster():
		return clash("service.time", "objectives.max_mean_response",
			fmt.Sprintf("the service alone takes %s on average, and the response includes the service",
				v.Time.Nominal()), "a response longer than the service")
	case o.MinUtilization != nil && o.MaxUtilization != nil && *o.MinUtilization > *o.MaxUtilization:
		return clash("objectives.max_utilization", "objectives.min_utilization", "the lower limit is above the "+
			"upper one",
			"a lower limit below the upper one")
	case o.Availability != nil && (*o.Availability <= 0 || *o.Availability >= 1):
		return wrong("objectives.availability",
			"more than 0 and less than 1 such as 99%: any finite number of replicas is sometimes down together", "%s",
			*o.Availability)
	}
	return q.checkHeadroom()
}

// faster reports whether a type of machine may be faster than the server that service.time is of.
func (q *Question) faster() bool {
	return slices.ContainsFunc(q.Machines, func(m MachineType) bool {
		return m.Speed != nil && m.Speed.High > 1 || m.SpeedCV != nil && *m.SpeedCV > 0
	})
}

// checkMachines looks at each type of machine by itself, and for names that stand twice: counts are
// given by name.
func (q *Question) checkMachines() error {
	first := map[string]int{}
	for i := range q.Machines {
		m := &q.Machines[i]
		at := fmt.Sprintf("machines[%d]", i)
		if m.Name == "" {
			return wrong(at, "a name such as rack", "no name")
		}
		if k, ok := first[m.Name]; ok {
			return clash(fmt.Sprintf("machines[%d].name", k), at+".name",
				fmt.Sprintf("both are %q", m.Name), "a name of its own")
		}
		first[m.Name] = i
		if err := m.check(); err != nil {
			return ask.In(at, err)
		}
		if _, err := m.JobsAtOnce(q.Service); err != nil {
			return ask.In(at, err)
		}
		if m.Predicted != "" && q.Availability == nil {
			return wrong(at+".predicted", "the part availability, with a trace of machines",
				"machine %q: %q, and no part availability predicts machines", m.Name, m.Predicted)
		}
	}
	return nil
}

// checkParts looks at the parts of a plan that are asked beside the fleet.
func (q *Question) checkParts() error {
	if r := q.Routing; r != nil {
		switch {
		case r.File != "" && len(r.Clusters) > 0:
			return clash("routing.file", "routing.clusters", "each lists all clusters", "one of them")
		case r.File == "" && len(r.Clusters) == 0:
			return wrong("routing", "clusters, or the file that holds them", "routing without clusters")
		}
	}
	if a := q.Allocation; a != nil {
		switch {
		case a.File != "" && a.Batch != nil:
			return clash("allocation.file", "allocation.batch", "each gives the whole batch", "one of them")
		case a.File == "" && a.Batch == nil:
			return wrong("allocation", "batch, or the file that holds it", "allocation without a batch")
		}
	}
	if r := q.Replicas; r != nil && (r.TraceFile != "" || r.Trace != nil) && (r.MTTF != nil || r.MTTR != nil) {
		other := "replicas.mttf"
		if r.MTTF == nil {
			other = "replicas.mttr"
		}
		return clash("replicas.trace", other, "the trace gives both", "one of them")
	}
	if v := q.Availability; v != nil {
		if _, err := units.ParseTimeOfDay(v.Start); err != nil {
			return wrong("availability.start", "a time of day 00:00 to 23:59", "%q", v.Start)
		}
		if v.Days < 1 {
			return wrong("availability.days", "a number of days such as 10", "no days to learn from")
		}
	}
	if q.Samples != nil && (*q.Samples < 1 || *q.Samples > sizing.MaxSamples) {
		return wrong("samples", fmt.Sprintf("1 to %d", sizing.MaxSamples), "%d draws", *q.Samples)
	}
	return nil
}

// checkMachineNames looks for the types of machines that clusters and resources
// are made of.
func (q *Question) checkMachineNames() error {
	names := make([]string, len(q.Machines))
	for i := range names {
		names[i] = q.Machines[i].Name
	}
	known := func(field, name string) error {
		switch {
		case name == "" || slices.Contains(names, name):
			return nil
		case len(names) == 0:
			return wrong(field, "machines, one of which has the name", "%q, and the scenario has no machines", name)
		}
		return oneOf(field, name, names...)
	}
	if v := q.Routing; v != nil {
		for i := range v.Clusters {
			if err := known(fmt.Sprintf("routing.clusters[%d].machine", i), v.Clusters[i].Machine); err != nil {
				return err
			}
		}
	}
	if v := q.Allocation; v != nil && v.Batch != nil {
		for i := range v.Batch.Resources {
			if err := known(fmt.Sprintf("allocation.batch.resources[%d].machine", i),
				v.Batch.Resources[i].Machine); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWords looks at the fields that hold one of a few words.
func (q *Question) checkWords() error {
	type field struct {
		path, value string
		words       []string
	}
	var all []field
	for i := range q.Machines {
		all = append(all,
			field{fmt.Sprintf("machines[%d].kind", i), string(q.Machines[i].Kind), []string{"dedicated", "public"}})
	}
	if v := q.Service; v != nil {
		all = append(all, field{"service.model", string(v.Model), []string{"loss", "wait", "abandon", "ps"}},
			field{"service.staffing", string(v.Staffing), []string{"sipp", "lagged-sipp", "mol"}})
	}
	if v := q.Objectives; v != nil {
		all = append(all, field{"objectives.service_level_of",
			string(v.ServiceLevelOf), []string{"offered", "served", "stayed", "waits"}},
			field{"objectives.public_count", string(v.PublicCount), []string{"averaged", "mean"}})
	}
	if v := q.Epoch; v != nil {
		all = append(all, field{"epoch.model", string(v.Model), []string{"mm1", "parallel"}})
	}
	if v := q.Routing; v != nil {
		all = append(all, field{"routing.policy", string(v.Policy), []string{"pap", "rr", "lrf", "bcf"}},
			field{"routing.hedge", string(v.Hedge), []string{"nominal", "mean", "worst"}})
	}
	if v := q.Allocation; v != nil {
		all = append(all,
			field{"allocation.method",
				string(v.Method), []string{"lp-round", "exact", "max-big", "max-best", "unit-big", "unit-best"}},
			field{"allocation.backup", string(v.Backup), []string{"soft", "strict"}})
	}
	if v := q.Availability; v != nil {
		all = append(all, field{"availability.day", v.Day, []string{"weekday", "weekend"}})
	}
	for _, f := range all {
		if err := oneOf(f.path, f.value, f.words...); f.value != "" && err != nil {
			return err
		}
	}
	return nil
}

// oneOf returns an error unless a value is one of the words. A word near it is
// suggested.
func oneOf(field, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return wrong(field, "one of "+strings.Join(words, ", "), "%q%s", value, spell.Aside(value, words))
}

// lowOf is the least value of a range, 0 where none is given.
func lowOf[T units.Quantity](r *units.Range[T]) float64 {
	if r == nil {
		return 0
	}
	return float64(r.Low)
}
