package traffic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/spell"
)

// A Role is what a column of a traffic file holds.
type Role string

// The roles of columns. A file has a time, and a count or a rate; or one row per
// request with its time and how long it took.
const (
	TimeColumn     Role = "time"     // when the interval began or the request came
	DateColumn     Role = "date"     // its day, where time holds the time of day only
	CountColumn    Role = "count"    // requests within the interval
	RateColumn     Role = "rate"     // requests per unit of time
	DurationColumn Role = "duration" // how long the request took to serve, or the mean of an interval
)

// Roles are all of them.
var Roles = []Role{TimeColumn, DateColumn, CountColumn, RateColumn, DurationColumn}

// known are names of columns that are understood as they stand, without regard
// to capitals and with "_" for blanks, points and hyphens. The earlier name wins
// where a file has several.
var known = map[Role][]string{
	TimeColumn: {"time", "timestamp", "datetime", "date_time", "ts", "start", "start_time", "interval_start",
		"interval", "bucket", "period", "epoch", "unix", "at", "hour"},
	DateColumn: {"date", "day"},
	CountColumn: {"count", "requests", "request_count", "arrivals", "calls", "calls_offered", "offered", "contacts",
		"jobs", "events", "hits", "visits", "orders", "transactions", "messages", "n", "total"},
	RateColumn: {"rate", "arrival_rate", "rps", "qps", "tps", "rpm", "throughput"},
	DurationColumn: {"service_time", "duration", "handle_time", "aht", "latency", "response_time", "request_time",
		"run_time", "runtime", "elapsed", "took"},
}

// perSecond are units in which the name of a column may end, in seconds.
var perSecond = map[string]float64{
	"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "second": 1, "seconds": 1,
	"m": 60, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hr": 3600, "hour": 3600, "hours": 3600,
	"d": 86400, "day": 86400, "days": 86400,
	"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "millis": 1e-3, "msec": 1e-3, "usec": 1e-6,
}

// A column is one that is read.
type column struct {
	index int
	name  string
	unit  float64 // s: of a time or duration in numbers, or the interval of a rate; 0: none is told
	found bool
}

// plainName is a column's name in the spelling of known.
func plainName(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, mark := range []string{" ", "-", ".", "/", "(", "["} {
		name = strings.ReplaceAll(name, mark, "_")
	}
	for _, mark := range []string{")", "]", "@"} {
		name = strings.ReplaceAll(name, mark, "")
	}
	for strings.Contains(name, "__") {
		name = strings.ReplaceAll(name, "__", "_")
	}
	return strings.Trim(name, "_")
}

// understand returns the role, rank among known names and unit of a column; ok
// is false for a column whose name says nothing to us.
func understand(name string) (role Role, rank int, unit float64, ok bool) {
	plain := plainName(name)
	if before, per, found := cutLast(plain, "_per_"); found {
		if s, ok := perSecond[per]; ok && before != "" {
			return RateColumn, 0, s, true
		}
		return "", 0, 0, false
	}
	// req/s and requests_s are rates: no other count has a unit of time.
	stem, end, suffixed := cutLast(plain, "_")
	s, timed := perSecond[end]
	for _, role := range Roles {
		if rank = slices.Index(known[role], plain); rank >= 0 {
			switch plain {
			case "rps", "qps", "tps":
				unit = 1
			case "rpm":
				unit = 60
			}
			return role, rank, unit, true
		}
	}
	if !suffixed || !timed {
		return "", 0, 0, false
	}
	for _, mean := range []string{"avg_", "mean_", "average_"} {
		stem = strings.TrimPrefix(stem, mean)
	}
	for _, role := range []Role{TimeColumn, DurationColumn} {
		if rank = slices.Index(known[role], stem); rank >= 0 {
			return role, rank, s, true
		}
	}
	if slices.Contains(known[CountColumn], stem) || stem == "req" || stem == "rate" {
		return RateColumn, 0, s, true
	}
	return "", 0, 0, false
}

// cutLast is strings.Cut at the last place.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// A headerFault is what is wrong with a header, at a column or, -1, all of it.
type headerFault struct {
	index         int
	problem, want string
}

// columns finds the columns of a header: those that are named, and of the rest
// the ones that are understood. It returns the names that nothing reads too.
func columns(header []string, named map[Role]string) (map[Role]column, []string, *headerFault) {
	found, ranks := map[Role]column{}, map[Role]int{}
	taken := make([]bool, len(header))
	for _, role := range Roles {
		name, given := named[role]
		if !given {
			continue
		}
		i := slices.Index(header, name)
		if i < 0 {
			return nil, nil, &headerFault{-1, fmt.Sprintf("no column %q%s", name, spell.Aside(name, header)),
				"one of the header's columns"}
		}
		_, _, unit, ok := understand(name)
		if !ok {
			_, end, _ := cutLast(plainName(name), "_")
			unit = perSecond[end]
		}
		found[role], taken[i] = column{index: i, name: name, unit: unit, found: true}, true
	}
	for i, name := range header {
		if taken[i] {
			continue
		}
		role, rank, unit, ok := understand(name)
		if !ok {
			continue
		}
		if _, given := named[role]; given {
			continue
		}
		before, again := found[role]
		if again && ranks[role] == rank {
			return nil, nil, &headerFault{i, fmt.Sprintf("columns %q and %q may both be the %s",
				before.name, name, role),
				fmt.Sprintf("the one to read, as in %s=%s", role, before.name)}
		}
		if again && ranks[role] < rank {
			continue
		}
		found[role], ranks[role] = column{index: i, name: name, unit: unit, found: true}, rank
	}
	// A date without a time of day is the time.
	if date, ok := found[DateColumn]; ok && !found[TimeColumn].found {
		found[TimeColumn] = date
		delete(found, DateColumn)
	}
	// A count and a rate say the same; the count needs no unit.
	if found[CountColumn].found && found[RateColumn].found {
		if _, given := named[RateColumn]; given {
			delete(found, CountColumn)
		} else {
			delete(found, RateColumn)
		}
	}
	var unread []string
	for i, name := range header {
		if !slices.ContainsFunc(Roles, func(r Role) bool { return found[r].found && found[r].index == i }) {
			unread = append(unread, name)
		}
	}
	if !found[TimeColumn].found {
		return nil, nil, &headerFault{-1, "no column for the time",
			"a header such as time,count or time_s,rate_per_s, or the columns named, as in time=ts,count=hits"}
	}
	if !found[CountColumn].found && !found[RateColumn].found && !found[DurationColumn].found {
		return nil, nil, &headerFault{-1, "no column for a count, a rate or a duration",
			"a header such as time,count or time_s,rate_per_s, or the columns named, as in time=ts,count=hits"}
	}
	return found, unread, nil
}
