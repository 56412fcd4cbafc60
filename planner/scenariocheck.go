package planner

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/units"
)

// check finds what can be seen without any model: fields that need or exclude
// one another, and words that are not known.
func (s *Scenario) check() error {
	for _, check := range []func() error{s.checkLoad, s.checkObjectives, s.checkMachines, s.checkParts, s.checkWords} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// clash is the error of two fields of which only one can hold; it stands at
// the second.
func (s *Scenario) clash(first, second, why, want string) error {
	name := func(place string) string {
		if line := s.Line(place); line > 0 {
			return fmt.Sprintf("%s (line %d)", place, line)
		}
		return place
	}
	return s.At(second, name(first)+" and "+name(second)+" contradict each other: "+why, want)
}

func (s *Scenario) checkLoad() error {
	l := s.Load
	if l == nil {
		return nil
	}
	forms := s.given("load", "rate", "erlangs", "curve", "log")
	service := s.Service != nil && s.Service.Time != nil
	switch {
	case len(forms) == 0:
		return s.At("load", "a load without an amount", "one of rate, erlangs, curve and log")
	case len(forms) == 2 && l.Rate != nil && l.Erlangs != nil && service:
		return s.clash("load.erlangs", "service.time", "load.rate and one of them give the other", "two of the three")
	case len(forms) == 2 && l.Rate != nil && l.Erlangs != nil:
	case len(forms) > 1:
		return s.clash(forms[0], forms[1], "each is the whole load", "one of them")
	case l.Log != "" && service:
		return s.clash("load.log", "service.time", "a log has its own run times", "one of them")
	case l.Log == "" && (l.From != nil || l.To != nil):
		return s.At("load.from", "from and to are a part of a log, and there is no load.log", "load.log, or neither")
	case l.Curve != "" && service && !s.Service.Time.IsPoint():
		return s.At("service.time", "a range beside load.curve", "one value")
	}
	if l.From != nil && l.To != nil && *l.To <= *l.From {
		return s.clash("load.from", "load.to", "the part of the log ends before it begins", "a later end")
	}
	return nil
}

// given returns the places of those fields of a part that are in the file.
func (s *Scenario) given(part string, fields ...string) (places []string) {
	for _, f := range fields {
		if n, ok := s.d.Find(part + "." + f); ok && n.Kind != document.NullNode {
			places = append(places, part+"."+f)
		}
	}
	return places
}

func (s *Scenario) checkObjectives() error {
	if v := s.Service; v != nil && v.Time != nil && v.Time.Low == 0 {
		return s.At("service.time", "service.time = "+v.Time.String(), "a mean time above 0 such as 100s")
	}
	o := s.Objectives
	if o == nil {
		return nil
	}
	waits := s.given("objectives", "max_wait", "max_mean_wait", "max_mean_response", "max_utilization", "max_abandon")
	model := ""
	if s.Service != nil {
		model = s.Service.Model
	}
	patience := s.Service != nil && s.Service.Patience != nil
	switch {
	case o.Percentile != nil && o.MaxWait == nil:
		return s.At("objectives.percentile", "a percentile of no wait", "objectives.max_wait beside it")
	case model == "loss" && len(waits) > 0 && waits[0] != "objectives.max_utilization" && waits[0] != "objectives.max_abandon":
		return s.clash("service.model", waits[0], "where who finds all servers busy is lost, nobody waits", "model wait, or max_blocking")
	case model != "" && model != "abandon" && patience:
		return s.clash("service.model", "service.patience", "in the model "+model+" nobody gives up", "model abandon, or no patience")
	case model == "abandon" && !patience:
		return s.At("service.model", "the model abandon without a patience", "service.patience such as 2min")
	case o.MaxAbandon != nil && !patience:
		return s.At("objectives.max_abandon", "nobody gives up without a patience", "service.patience such as 2min")
	case o.MaxMeanResponse != nil && s.Service != nil && s.Service.Time != nil && *o.MaxMeanResponse < s.Service.Time.Nominal():
		return s.clash("service.time", "objectives.max_mean_response", fmt.Sprintf("the service alone takes %s on average, and the response includes it", s.Service.Time.Nominal()), "a response longer than the service")
	case o.MinUtilization != nil && o.MaxUtilization != nil && *o.MinUtilization > *o.MaxUtilization:
		return s.clash("objectives.max_utilization", "objectives.min_utilization", "the least is above the most", "the least below the most")
	case o.Availability != nil && (*o.Availability <= 0 || *o.Availability >= 1):
		return s.At("objectives.availability", fmt.Sprintf("availability = %s", *o.Availability), "more than 0 and less than 1 such as 99%: no finite number of replicas is never down together")
	}
	return nil
}

func (s *Scenario) checkMachines() error {
	if err := s.d.UniqueNames("machines", len(s.Machines), func(i int) string { return s.Machines[i].Name }); err != nil {
		return err
	}
	for i := range s.Machines {
		m := &s.Machines[i]
		at := func(field string) string { return fmt.Sprintf("machines[%d].%s", i, field) }
		life := []string{}
		if m.Availability != nil {
			life = append(life, "availability")
		}
		if m.MTTF != nil || m.MTTR != nil {
			life = append(life, "mttf")
			if m.MTTF == nil {
				life[len(life)-1] = "mttr"
			}
		}
		if m.Trace != "" {
			life = append(life, "trace")
		}
		if m.Predicted != "" {
			life = append(life, "predicted")
		}
		switch {
		case m.Kind != "" && m.Kind != "dedicated" && m.Kind != "public":
			return s.word(at("kind"), m.Kind, "dedicated", "public")
		case len(life) > 1:
			return s.clash(at(life[0]), at(life[1]), "each gives the availability", "one of availability, mttf with mttr, trace and predicted")
		case (m.MTTF == nil) != (m.MTTR == nil):
			return s.At(at(life[0]), fmt.Sprintf("machine %q: one of mttf and mttr", m.Name), "both, such as mttf: 5h and mttr: 10min")
		case m.Kind == "public" && len(life) == 0:
			return s.At(fmt.Sprintf("machines[%d]", i), fmt.Sprintf("public machine %q without an availability", m.Name), "availability such as 70%, or mttf and mttr, or a trace, or predicted: all beside the part availability")
		case m.Predicted != "" && s.Free == nil:
			return s.At(at("predicted"), fmt.Sprintf("machine %q: predicted = %s, and there is no part availability that predicts", m.Name, source.Shown([]byte(m.Predicted))), "the part availability, with a trace of machines")
		case m.Kind != "public" && m.Replicas != nil:
			return s.At(at("replicas"), fmt.Sprintf("replicas on the dedicated machine %q", m.Name), "replicas on machines of the kind public")
		case m.Replicas != nil && *m.Replicas < 1:
			return s.At(at("replicas"), fmt.Sprintf("machine %q: replicas = 0", m.Name), "at least 1 copy of each job")
		case m.Speed != nil && m.Speed.Low == 0:
			return s.At(at("speed"), fmt.Sprintf("machine %q: speed = %s", m.Name, m.Speed), "a speed above 0 such as 0.34")
		case m.AtLeast != nil && m.Limit != nil && *m.AtLeast > *m.Limit:
			return s.clash(at("limit"), at("at_least"), "more are taken in any case than can be had", "at_least up to the limit")
		case m.Limit != nil && *m.Limit > 1e12 || m.AtLeast != nil && *m.AtLeast > 1e12:
			return s.At(at("limit"), fmt.Sprintf("machine %q: more than 1e12 machines", m.Name), "at most 1e12")
		}
		for _, p := range []struct {
			field string
			given bool
			low   float64
		}{{"mttf", m.MTTF != nil, lowOf(m.MTTF)}, {"mttr", m.MTTR != nil, lowOf(m.MTTR)}, {"availability", m.Availability != nil, lowOf(m.Availability)}} {
			if p.given && p.low <= 0 {
				return s.At(at(p.field), fmt.Sprintf("machine %q: %s = 0", m.Name, p.field), "more than 0")
			}
		}
	}
	return nil
}

func (s *Scenario) checkParts() error {
	if r := s.Routing; r != nil {
		switch {
		case r.File != "" && len(r.Clusters) > 0:
			return s.clash("routing.file", "routing.clusters", "each lists all clusters", "one of them")
		case r.File == "" && len(r.Clusters) == 0:
			return s.At("routing", "routing without clusters", "clusters, or the file that holds them")
		}
		f := &routes.ClusterFile{Clusters: r.Clusters, Types: r.Types}
		part, _ := s.d.Find("routing")
		sub := *s.d
		sub.Root = part
		if len(r.Clusters) > 0 {
			if err := routes.CheckClusters(&sub, f); err != nil {
				return err
			}
		}
		if err := routes.CheckTypes(&sub, f); err != nil {
			return err
		}
	}
	if a := s.Allocation; a != nil {
		switch {
		case a.File != "" && a.Batch != nil:
			return s.clash("allocation.file", "allocation.batch", "each is the whole batch", "one of them")
		case a.File == "" && a.Batch == nil:
			return s.At("allocation", "allocation without a batch", "batch, or the file that holds it")
		}
		if a.Batch != nil {
			sub := *s.d
			sub.Root, _ = s.d.Find("allocation.batch")
			if err := a.Batch.CheckAt(&sub); err != nil {
				return err
			}
		}
	}
	if r := s.Replicas; r != nil && r.Trace != "" && (r.MTTF != nil || r.MTTR != nil) {
		other := "replicas.mttf"
		if r.MTTF == nil {
			other = "replicas.mttr"
		}
		return s.clash("replicas.trace", other, "the trace gives both", "one of them")
	}
	if s.Samples != nil && (*s.Samples < 1 || *s.Samples > 10_000_000) {
		return s.At("samples", fmt.Sprintf("%d draws", *s.Samples), "1 to 10000000")
	}
	return nil
}

// machineType returns an error unless a name is that of a type of machine.
func (s *Scenario) machineType(place, name string) error {
	names := make([]string, len(s.Machines))
	for i := range s.Machines {
		if names[i] = s.Machines[i].Name; names[i] == name {
			return nil
		}
	}
	if len(names) == 0 {
		return s.At(place, fmt.Sprintf("%s = %s, and the scenario has no machines", place, source.Shown([]byte(name))), "machines, of which one has the name")
	}
	return s.word(place, name, names...)
}

// checkWords looks at the fields that hold one of a few words.
func (s *Scenario) checkWords() error {
	type field struct {
		place, value string
		words        []string
	}
	var all []field
	if v := s.Service; v != nil {
		all = append(all, field{"service.model", v.Model, []string{"loss", "wait", "abandon"}},
			field{"service.staffing", v.Staffing, []string{"sipp", "lagged-sipp", "mol"}})
	}
	if v := s.Objectives; v != nil {
		all = append(all, field{"objectives.service_level_of", v.ServiceLevelOf, []string{"offered", "served", "stayed", "waits"}})
	}
	if v := s.Epoch; v != nil {
		all = append(all, field{"epoch.model", v.Model, []string{"mm1", "parallel"}})
	}
	if v := s.Routing; v != nil {
		all = append(all, field{"routing.policy", v.Policy, []string{"pap", "rr", "lrf", "bcf"}},
			field{"routing.hedge", v.Hedge, []string{"nominal", "mean", "worst"}})
	}
	if v := s.Allocation; v != nil {
		all = append(all, field{"allocation.method", v.Method, []string{"lp-round", "exact", "max-big", "max-best", "unit-big", "unit-best"}},
			field{"allocation.backup", v.Backup, []string{"soft", "strict"}})
	}
	if v := s.Free; v != nil {
		all = append(all, field{"availability.day", v.Day, []string{"weekday", "weekend"}})
	}
	if v := s.Routing; v != nil {
		for i := range v.Clusters {
			if c := &v.Clusters[i]; c.Machine != "" {
				if err := s.machineType(fmt.Sprintf("routing.clusters[%d].machine", i), c.Machine); err != nil {
					return err
				}
			}
		}
	}
	if v := s.Allocation; v != nil && v.Batch != nil {
		for i := range v.Batch.Resources {
			if r := &v.Batch.Resources[i]; r.Machine != "" {
				if err := s.machineType(fmt.Sprintf("allocation.batch.resources[%d].machine", i), r.Machine); err != nil {
					return err
				}
			}
		}
	}
	for _, f := range all {
		if f.value == "" {
			continue
		}
		if err := s.word(f.place, f.value, f.words...); err != nil {
			return err
		}
	}
	return nil
}

// word returns an error unless the value at a place is one of the words.
func (s *Scenario) word(place, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	problem := fmt.Sprintf("%s = %s", place, source.Shown([]byte(value)))
	if near := spell.Nearest(value, words); near != "" {
		problem += " (did you mean " + near + "?)"
	}
	return s.At(place, problem, "one of "+strings.Join(words, ", "))
}

func lowOf[T units.Quantity](r *units.Range[T]) float64 {
	if r == nil {
		return 0
	}
	return float64(r.Low)
}
