package queues

import (
	"slices"
	"strings"

	"github.com/capplan/capplan/planner/ask"
)

// takes names what each queue reads of a question, apart from its servers, beside a load where it has
// one. Anything else would change nothing.
var takes = map[QueueModel]string{
	ErlangB:  "load",
	ErlangC:  "load percentile max_wait",
	ErlangA:  "load patience percentile max_wait service_level_of",
	Engset:   "sources load_per_source",
	MMCK:     "load capacity percentile max_wait",
	Finite:   "sources think_time percentile max_wait",
	Hayward:  "load peakedness method",
	MG1:      "load service_law service_scv percentile max_wait",
	GIM1:     "load arrival_law arrival_scv percentile max_wait",
	MDC:      "load percentile max_wait",
	PS:       "load percentile",
	GGC:      "load arrival_scv service_scv method percentile max_wait",
	Priority: "class preemptive",
	Classes:  "class capacity",
	Backed:   "load public_speed public_speed_cv replicas max_elongation percentile",
}

// inVain refuses what the queue does not read.
func (q *QueueQuestion) inVain() error {
	taken := strings.Fields(takes[q.Queue])
	for _, f := range []struct {
		field string
		given bool
	}{
		{"load", q.OfferedLoad != nil || q.Rate != nil},
		{"service_time", q.ServiceTime != nil && slices.Contains(taken, "class")},
		{"growth", q.Growth != nil}, {"patience", q.Patience != nil}, {"capacity", q.Capacity != nil},
		{"arrival_scv", q.ArrivalSCV != nil}, {"service_scv", q.ServiceSCV != nil}, {"sources", q.Sources != nil},
		{"load_per_source", q.LoadPerSource != nil}, {"think_time", q.ThinkTime != nil},
		{"peakedness", q.Peakedness != nil}, {"service_law", q.ServiceLaw != ""}, {"arrival_law", q.ArrivalLaw != ""},
		{"method", q.Method != ""}, {"preemptive", q.Preemptive}, {"class", len(q.JobClasses) > 0},
		{"public_speed", q.PublicSpeed != nil}, {"public_speed_cv", q.PublicSpeedCV != nil},
		{"replicas", q.Replicas != nil}, {"max_elongation", q.MaxElongation != nil}, {"percentile", q.Percentile != nil},
		{"max_wait", q.MaxWait != nil}, {"service_level_of", q.ServiceLevelOf != ""},
	} {
		if f.given && !slices.Contains(taken, f.field) {
			return ask.Inputf(f.field, "would change nothing: %s takes {"+strings.Join(taken, "}, {")+"}", q.Queue)
		}
	}
	return nil
}
