package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/capplan/capplan/planner/ask"
)

// scenarioPlaces are the fields of questions as the scenario has them.
var scenarioPlaces = map[string]string{
	"public_count": "objectives.public_count",
	"load":         "load", "rate": "load.rate", "service-time": "service.time", "load-curve": "load.curve", "swf": "load.log",
	"arrival-scv": "load.arrival_scv", "scv": "load", "patience": "service.patience", "model": "service.model", "staffing": "service.staffing",
	"max-blocking": "objectives.max_blocking", "max-wait": "objectives.max_wait", "percentile": "objectives.percentile", "objective": "objectives",
	"max-mean-wait": "objectives.max_mean_wait", "max-mean-response": "objectives.max_mean_response", "max-utilization": "objectives.max_utilization",
	"max-abandon": "objectives.max_abandon", "target": "objectives.availability", "uplink": "link.uplink", "downlink": "link.downlink",
	"footprint": "link.footprint", "replicas": "replicas", "epoch": "epoch.length", "dedicated": "link.dedicated", "migrations": "epoch.migrations",
	"migration-time": "epoch.migration_time", "failure-rate": "epoch.failure_rate", "public-jobs": "epoch.public_jobs", "mtbf": "checkpoint.mtbf",
	"cost": "checkpoint.cost", "restart": "checkpoint.restart", "work": "checkpoint.work", "mttr": "checkpoint.mttr", "window": "availability.window",
	"light": "availability.light", "heavy": "availability.heavy", "grace": "availability.grace", "gap": "availability.gap", "period": "availability.period",
	"day": "availability.day", "start": "availability.start", "days": "availability.days", "task": "availability.task", "fail": "allocation.fail",
	"mttf": "replicas.mttf", "needed": "replicas.needed", "crews": "replicas.crews", "trace": "availability.trace", "batch": "allocation",
	"routing": "routing", "hedge": "routing.hedge", "policy": "routing.policy", "weight": "routing.types", "types": "routing.types", "clusters": "routing.clusters",
}

// namesakes are the parts of a scenario that have fields of the same names.
var namesakes = []string{"replicas", "checkpoint", "availability", "routing"}

// fieldPlace returns where a field of a part's question stands in the scenario:
// in the part, if it is given there or the place known is that of a namesake.
func (in *scenarioInput) fieldPlace(part, field string) string {
	place, ok := scenarioPlaces[field]
	if !ok {
		place = field
	}
	if !slices.Contains(namesakes, part) || strings.Contains(field, ".") {
		return place
	}
	own := part + "." + strings.ReplaceAll(field, "-", "_")
	of, _, _ := strings.Cut(place, ".")
	if in.scenario.Line(own) > 0 || of != part && slices.Contains(namesakes, of) {
		return own
	}
	return place
}

// place turns an error of the question into one of the file, where its field
// stands there.
func (in *scenarioInput) place(err error) error {
	var input *ask.InputError
	if !errors.As(err, &input) || input.Field == "" {
		return err
	}
	place := in.fieldPlace(input.Part, input.Field)
	for at := place; at != ""; {
		if in.scenario.Line(at) > 0 {
			return in.scenario.At(place, place+": "+input.Reason, "")
		}
		dot := strings.LastIndexByte(at, '.')
		at = at[:max(dot, 0)]
	}
	return &ask.InputError{Reason: in.name + ": " + place + ": " + input.Reason}
}
