package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner"
)

// A Data is a table for programs: base units as in the JSON, all rows.
type Data struct {
	Name string // of the file, without .csv
	Rows [][]string
}

// Write writes the table as CSV.
func (t *Data) Write(w io.Writer) error {
	c := csv.NewWriter(given.Writer(w))
	if err := c.WriteAll(t.Rows); err != nil {
		return err
	}
	return c.Error()
}

// Tables returns the tables of a plan: of those questions that it answers.
func Tables(a *planner.PlanAnswer) []Data {
	var all []Data
	add := func(name string, head ...string) *Data {
		all = append(all, Data{name, [][]string{head}})
		return &all[len(all)-1]
	}
	whole := func(p *int64) string { return optional(p, func(n int64) string { return fmt.Sprint(n) }) }
	if m := a.Mix; m != nil {
		t := add("mix", "name", "kind", "count", "price_per_h", "worth_of_one", "replicas", "equivalent_servers", "cost_per_h")
		for _, x := range m.Machines {
			t.Rows = append(t.Rows, []string{x.Name, string(x.Kind), fmt.Sprint(x.Count), plain(x.Price), plain(x.Worth), whole(x.Replicas), plain(x.Equivalent), plain(x.Cost)})
		}
	}
	if len(a.Machines) > 0 {
		t := add("machines", "name", "kind", "price_per_h", "speed", "availability", "replicas", "equivalent_servers", "price_per_equivalent_server_per_h")
		for _, x := range a.Machines {
			t.Rows = append(t.Rows, []string{x.Name, string(x.Kind), plain(x.Price), plain(x.Speed), optionalPlain(x.Availability), whole(x.Replicas), plain(x.Worth), plain(x.PricePerServer)})
		}
	}
	candidates := func(name string, list []planner.MixCandidate) {
		head := []string{"name", "cost_per_h", "probability_met", "expected_shortfall_servers", "expected_regret_per_h", "max_regret_per_h", "public_share"}
		for _, m := range a.Machines {
			head = append(head, "count_"+strings.ReplaceAll(m.Name, " ", "_"))
		}
		t := add(name, head...)
		for _, c := range list {
			row := []string{c.Name, plain(c.Cost), plain(c.Chance), plain(c.Short), optionalPlain(c.Regret), optionalPlain(c.MaxRegret), plain(c.PublicShare)}
			if a.Uncertainty == nil { // nothing was drawn
				row[2], row[3] = "", ""
			}
			for _, n := range c.Counts {
				row = append(row, fmt.Sprint(n))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	if f := a.Frontier; f != nil {
		candidates("frontier", f.Points)
	}
	if u := a.Uncertainty; u != nil && len(u.Candidates) > 0 {
		candidates("candidates", u.Candidates)
	}
	if s := a.Sensitivity; s != nil {
		t := add("sensitivity", "input", "unit", "range", "low", "nominal", "high", "needed_servers_at_low", "needed_servers_at_high", "cost_at_low_per_h", "cost_at_high_per_h", "effect")
		for _, w := range s.Inputs {
			t.Rows = append(t.Rows, []string{w.Input, w.Unit, fmt.Sprint(w.Range), plain(w.Low), plain(w.Nominal), plain(w.High),
				optionalPlain(w.NeededLow), optionalPlain(w.NeededHigh), optionalPlain(w.CostLow), optionalPlain(w.CostHigh), optionalPlain(w.Effect)})
		}
	}
	if z := a.Size; z != nil && z.Staffing != nil {
		t := add("staffing", "start_s", "end_s", "arrival_rate_per_s", "servers", "servers_sipp", "servers_lagged_sipp", "servers_mol", "mol_load_erl")
		for _, v := range z.Staffing.Intervals {
			t.Rows = append(t.Rows, []string{plain(v.Start), plain(v.End), plain(v.Rate), fmt.Sprint(v.Servers), fmt.Sprint(v.ServersSIPP), fmt.Sprint(v.ServersLaggedSIPP), fmt.Sprint(v.ServersMOL), plain(v.LoadMOL)})
		}
	}
	if r := a.Routing; r != nil {
		t := add("routing", "name", "probability", "external_rate_per_s", "utilization", "external_response_s")
		for _, c := range r.Clusters {
			t.Rows = append(t.Rows, []string{c.Name, plain(c.Probability), plain(c.ExternalRate), plain(c.Utilization), plain(c.ExternalResponse)})
		}
	}
	if v := a.Rank; v != nil {
		t := add("ranking", "rank", "name", "free_throughout", "free_at_start", "temporal_reliability", "mttf_s", "mean_load", "days")
		for _, h := range v.Hosts {
			t.Rows = append(t.Rows, []string{fmt.Sprint(h.Rank), h.Name, optionalPlain(h.Free), plain(h.AtStart), optionalPlain(h.TemporalReliability), optionalPlain(h.MTTF), plain(h.MeanLoad), fmt.Sprint(h.Days)})
		}
	}
	if v := a.Allocation; v != nil && len(v.Assignments) > 0 {
		t := add("allocation", "job", "dependency", "resource", "level", "demand", "revenue")
		for _, x := range v.Assignments {
			t.Rows = append(t.Rows, []string{x.Job, x.Dependency, optional(x.Resource, func(s string) string { return s }), fmt.Sprint(x.Level), fmt.Sprint(x.Demand), fmt.Sprint(x.Revenue)})
		}
	}
	return all
}
