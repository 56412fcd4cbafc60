package queues

import "github.com/capplan/capplan/planner/ask"

// timeless is what is said of a load without a service time.
const timeless = "waits, responses and rates are left out, since the load contains no time: give a service time " +
	"for them"

// given finds what is asked for and would change nothing, since those who come bring their own. clocked is false where
// no time is known: a load in erlangs alone, or such classes.
func (q *StationQuestion) given() (clocked bool, err error) {
	clocked = true
	laws := q.ArrivalLaw != "" || q.ArrivalSCV != nil
	switch {
	case q.ThinkTime != nil && q.Sources == nil:
		return false, ask.Inputf("think_time", "only used with {sources}")
	case q.ServiceLevelOf != "" && q.MaxWait == nil:
		return false, ask.Inputf("service_level_of",
			"a service level is only used with {max_wait}, such as {max_wait} 20s")
	case q.Growth != nil:
		return false, ask.Inputf("growth", "a station takes the load as it is")
	case len(q.JobClasses) == 0 && (q.Priorities || q.Preemptive):
		return false, ask.Inputf("class", "priorities are those of classes, such as {class} name=a,rate=1/s,service=1s")
	case len(q.JobClasses) > 0:
		if laws || q.ServiceTime != nil || q.ServiceLaw != "" || q.ServiceSCV != nil {
			return false, ask.Inputf("class", "classes arrive at random and bring their own service: want service and scv in "+
				"each, and {arrival_scv}, {arrival_law}, {service_time}, {service_scv} and {service_law} left out")
		}
		if clocked, err = q.clockedClasses(); err != nil {
			return false, err
		}
	case q.Log != nil && (q.ArrivalLaw != "" || q.ServiceLaw != ""):
		return false, ask.Inputf("swf", "a log has its own gaps and run times: leave {arrival_law} and {service_law} out")
	case q.Log != nil && q.Simulate.Replications != nil:
		return false, ask.Inputf("replications", "a log is replayed once, and every run is the same: leave it out")
	case q.Log != nil && q.Simulate.Precision != nil:
		return false, ask.Inputf("precision", "a log is replayed once, which has no interval: leave it out")
	case q.Curve != nil && laws:
		return false, ask.Inputf("load_curve",
			"requests of a curve arrive at random: leave {arrival_scv} and {arrival_law} out")
	case q.OfferedLoad != nil:
		clocked = q.Rate != nil || q.ServiceTime != nil
	}
	if !clocked && (q.MaxWait != nil || q.Patience != nil) {
		field := "max_wait"
		if q.Patience != nil {
			field = "patience"
		}
		return false, ask.Inputf("service_time",
			"%s is in seconds and the load contains no time: give {service_time}", ask.FieldName(field))
	}
	return clocked, nil
}

// clockedClasses reports whether classes have service times. Loads alone would be of one mean service, and such a
// class beside one in seconds would take a second.
func (q *StationQuestion) clockedClasses() (bool, error) {
	classes, err := (&QueueQuestion{Queue: Priority, JobClasses: q.JobClasses}).named()
	if err != nil {
		return false, err
	}
	timed := 0
	for _, c := range classes {
		if (c.Load == nil) != (c.Rate != nil && c.ServiceTime != nil) || c.Load != nil && c.Rate != nil {
			return false, ask.Inputf("class",
				"class %q wants either a load, or a rate and a service time, such as rate=2/min,service=20s", c.Name)
		}
		if c.ServiceTime != nil {
			timed++
		}
	}
	if timed > 0 && timed < len(q.JobClasses) {
		return false, ask.Inputf("class", "some classes have a service time and others none: want it in all, such as "+
			"load=1.5,service=20s")
	}
	return timed > 0, nil
}
