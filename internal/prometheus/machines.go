package prometheus

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
)

// A Fleet is what a server saw of the load of machines.
type Fleet struct {
	Trace []byte // CSV with time, cpu, free_mb and host, as package trace reads it
	Notes []string
}

// Machines asks for the load of machines, one a series: the share of the CPU in use and, if memory
// is not empty, the free memory in bytes. A machine is named by its label instance if that
// distinguishes the series, else by the labels that do. A moment without a value of the CPU is a
// missing sample. Errors: *ask.InputError of cpu_query or memory_query; *Error.
func (c *Client) Machines(ctx context.Context, cpu, memory string, w Window) (*Fleet, error) {
	ctx = given.Context(ctx)
	t, err := w.times()
	if err != nil {
		return nil, err
	}
	load, err := c.machines(ctx, query{"cpu_query", cpu}, t)
	if err != nil {
		return nil, err
	}
	out := &Fleet{Notes: load.notes}
	// Names are made before memory is asked for, so that two machines of one name are reported at
	// once.
	names := load.names()
	if err := distinct(load, names); err != nil {
		return nil, err
	}
	free := map[string]*series{}
	if memory != "" {
		r, err := c.machines(ctx, query{"memory_query", memory}, t)
		if err != nil {
			return nil, err
		}
		out.Notes = append(out.Notes, r.notes...)
		held := r.names()
		if err := distinct(r, held); err != nil {
			return nil, err
		}
		for i, s := range r.series {
			// Both queries name a machine by the labels that tell their own series apart.
			free[held[i]] = s
		}
		var without []string
		for _, n := range names {
			if free[n] == nil {
				without = append(without, n)
			}
		}
		// No machine in common is a mistake, some without memory are not.
		if len(without) == len(names) {
			return nil, ask.Inputf("memory_query", "gives no machine of --cpu-query: it has %s, the other %s",
				few(held), few(names))
		}
		if len(without) > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("%d of %d machines have no memory: %s", len(without), len(names),
				few(without)))
		}
	}
	// The trace is text, so that it goes through the same reader as a file and can be kept as one.
	out.Trace = []byte("time,cpu,free_mb,host\n")
	for i, s := range load.series {
		out.add(names[i], s, free[names[i]])
	}
	return out, nil
}

// machines fetches the series of machines.
func (c *Client) machines(ctx context.Context, q query, t times) (*record, error) {
	r, err := c.fetch(ctx, q, t)
	if err != nil {
		return nil, err
	}
	if len(r.series) == 0 {
		return nil, c.empty(r)
	}
	return r, c.numbers(r)
}

// add writes the samples of a machine. Its times are those of the server; what
// stands in its memory at another moment than in its CPU is passed over. Half a millisecond is
// below what servers count in. Memory goes from bytes to MB of 10^6.
func (f *Fleet) add(name string, cpu, free *series) {
	k := 0
	for i, at := range cpu.end {
		f.Trace = strconv.AppendFloat(f.Trace, at, 'f', -1, 64)
		f.Trace = strconv.AppendFloat(append(f.Trace, ','), cpu.value[i], 'g', -1, 64)
		f.Trace = append(f.Trace, ',')
		if free != nil {
			for k < len(free.end) && free.end[k] < at-0.0005 {
				k++
			}
			if k < len(free.end) && math.Abs(free.end[k]-at) <= 0.0005 {
				f.Trace = strconv.AppendFloat(f.Trace, free.value[k]/1e6, 'g', -1, 64)
			}
		}
		f.Trace = append(append(append(f.Trace, ','), name...), '\n')
	}
}

// names are what the machines of the series are called. Names are made of all labels that are
// needed to tell series apart, in the order of their names.
func (r *record) names() []string {
	values := map[model.LabelName]map[model.LabelValue]bool{}
	for _, s := range r.series {
		for name, v := range s.labels {
			if values[name] == nil {
				values[name] = map[model.LabelValue]bool{}
			}
			values[name][v] = true
		}
	}
	// The label instance is what Prometheus itself calls a target.
	telling := []model.LabelName{model.InstanceLabel}
	if len(values[model.InstanceLabel]) < len(r.series) {
		telling = nil
		for _, name := range slices.Sorted(maps.Keys(values)) {
			every := true
			for _, s := range r.series {
				every = every && s.labels[name] != ""
			}
			// Labels that are the same everywhere tell nothing, unless there is no
			// other.
			if name != model.MetricNameLabel && (len(values[name]) > 1 || !every || len(r.series) == 1) {
				telling = append(telling, name)
			}
		}
	}
	names := make([]string, len(r.series))
	for i, s := range r.series {
		var parts []string
		for _, name := range telling {
			if v := s.labels[name]; v != "" {
				parts = append(parts, string(v))
			}
		}
		names[i] = cmp.Or(cell(strings.Join(parts, "/")), "machine")
	}
	return names
}

// cell is a text as the cell of a trace. A comma, a quotation mark or a line break would end the
// cell.
func cell(text string) string {
	return strings.Map(func(r rune) rune {
		if r == ',' || r == '"' || r < ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, strings.TrimSpace(text))
}

// mostName is how many bytes the name of a machine may have: it stands in every row of the trace.
const mostName = 1 << 10

// distinct refuses machines that share a name, whose samples would be mixed, and those with a name
// without end. Errors: *ask.InputError of the query.
func distinct(r *record, names []string) error {
	seen := map[string]bool{}
	for _, n := range names {
		if len(n) > mostName {
			return ask.Inputf(r.field, "%s gives a machine whose name has %d bytes: want at most %d, such as of avg by "+
				"(instance) (...)", r.text, len(n), mostName)
		}
		if seen[n] {
			return ask.Inputf(r.field,
				"%s gives two series that are both called %s: want one per machine, such as avg by (instance) (...)",
				r.text, spell.Quote(n))
		}
		seen[n] = true
	}
	return nil
}

// few names some of many.
func few(names []string) string {
	text := strings.Join(names[:min(len(names), 3)], ", ")
	if len(names) > 3 {
		text += fmt.Sprintf(" and %d more", len(names)-3)
	}
	return text
}
