package routes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// A ClusterFile holds the clusters over which a stream of external requests is
// routed, and the types of these.
type ClusterFile struct {
	Clusters []Cluster `json:"clusters" jsonschema:"minItems=1"`
	// Types split the external requests; what their shares leave to 1 is one
	// more type, without a name. None: all requests are alike.
	Types []RequestType `json:"types,omitempty"`
}

// A Cluster serves local requests, which have preemptive priority, and external
// ones. It is the cluster of InterGrid section 4: what comes from its own users
// goes first and interrupts what comes over the grid.
type Cluster struct {
	Name  string       `json:"name" jsonschema:"minLength=1"` // a name that no other has in the file
	Local *LocalStream `json:"local,omitempty"`               // requests of its own users; nil: none
	// how external requests are served; may be left out if machine is given
	External ExternalStream `json:"external,omitempty" jsonschema:"anyof_required=external"`
	// Machine names a type of machine of the scenario, and count is how many of them
	// the cluster has; nil: as many as the mix takes. They give the servers, and,
	// where left out, the external service_time and scv, and the price.
	Machine string       `json:"machine,omitempty" jsonschema:"anyof_required=machine"`
	Count   *units.Count `json:"count,omitempty"` // number of machines of type machine, each a server
	// Servers is their number, 1 or more, also a fraction; nil: 1. Service times
	// are those on one of them.
	Servers *units.Number `json:"servers,omitempty"`
	// Price is what serving one external request costs, such as 0.02 or $0.02, all
	// in one currency; nil: 0.
	Price *units.Amount `json:"price,omitempty"`
	// Power is the computing power by which bcf finds the biggest cluster, in any
	// unit; nil: servers over the external service time.
	Power *units.Number `json:"power,omitempty"`
}

// A LocalStream is what a cluster serves besides. Its rate may be a range, over
// whose draws a split can be hedged.
type LocalStream struct {
	Rate        units.Range[units.Rate] `json:"rate"`          // requests per time, above 0; may be an uncertain range
	ServiceTime units.Duration          `json:"service_time"`  // mean service time, above 0
	SCV         *units.Number           `json:"scv,omitempty"` // SCV of the service times; nil: 1, exponential
}

// An ExternalStream is how a cluster serves external requests.
type ExternalStream struct {
	ServiceTime units.Duration `json:"service_time,omitempty"` // mean service time, above 0; left out: of machine
	SCV         *units.Number  `json:"scv,omitempty"`          // SCV of the service times; nil: 1, exponential
}

// A RequestType is a part of the external requests. Types differ in how long they
// take and in how much their response counts; a question may send each its own
// way.
type RequestType struct {
	Name   string         `json:"name" jsonschema:"minLength=1"` // a name that no other has in the file
	Share  units.Fraction `json:"share"`                         // share of the requests, above 0; at most 1 in sum
	Weight *units.Number  `json:"weight,omitempty"`              // weight of a second of its response, above 0; nil: 1
	// ServiceRatio is its mean service time, above 0, divided by that of the
	// cluster's external stream; nil: 1. The SCV is the same.
	ServiceRatio *units.Number `json:"service_ratio,omitempty"`
}

// clustersForm is what an error asks for.
const clustersForm = `clusters such as "- {name: C64, local: {rate: 0.3/s, service_time: 0.8s, scv: 0.01}, external: {service_time: 1s, scv: 0.25}}" under "clusters:"`

// ReadClusters reads a cluster file, YAML or JSON by its content:
//
//	clusters:
//	  - name: C64
//	    local:    {rate: 0.3/s, service_time: 0.8s, scv: 0.01}
//	    external: {service_time: 1s, scv: 0.25}
//	types:
//	  - {name: urgent, share: 25%, weight: 4}
//
// Unknown fields, fields or names given twice, rates, times and shares of 0,
// fewer than one server, shares above 1 together and clusters that their local
// requests saturate at the most likely rate give a *FileError with line, column
// and the line. name is used in messages only. JSON takes some 7 µs per cluster
// and may hold 64 MiB, YAML 50 µs and 32 MiB (BenchmarkReadClusters).
func ReadClusters(ctx context.Context, name string, r io.Reader) (*ClusterFile, error) {
	f := &ClusterFile{}
	d, err := document.ReadInto(ctx, name, clustersForm, r, f, "the document")
	if err != nil {
		return nil, err
	}
	if err := CheckClusters(d, f); err != nil {
		return nil, err
	}
	return f, CheckTypes(d, f)
}

// Currency is that of the prices of clusters, and the first cluster that has it;
// empty: none has one.
func Currency(clusters []Cluster) (currency string, at int) {
	for i := range clusters {
		if c := ask.Value(clusters[i].Price).Currency; c != "" {
			return c, i
		}
	}
	return "", 0
}

// CheckClusters checks the clusters of a file, and names the line of what is wrong. Clusters that
// are machines of a scenario are checked once their servers are known.
func CheckClusters(d *document.Document, f *ClusterFile) error {
	if d == nil || f == nil {
		return ask.Missing("clusters", "a file of clusters")
	}
	list := d.Root.Field("clusters")
	if len(f.Clusters) == 0 {
		return d.On(list, "no clusters", "at least one, "+clustersForm)
	}
	seen := make(map[string]int, len(f.Clusters))
	currency := ""
	for i := range f.Clusters {
		c, n := &f.Clusters[i], list.Item(i)
		if first, ok := seen[c.Name]; ok {
			return d.On(n.Field("name"), fmt.Sprintf("cluster %q is given twice (first on line %d)",
				c.Name, list.Item(first).Field("name").Line), "a name of its own")
		}
		seen[c.Name] = i
		switch now := ask.Value(c.Price).Currency; {
		case now == "" || now == currency:
		case currency == "":
			currency = now
		default:
			return d.On(n.Field("price"), fmt.Sprintf("cluster %q: a price in %s, and an earlier one in %s",
				c.Name, now, currency), units.OneCurrency)
		}
		servers := ask.Or(c.Servers, 1.0)
		switch local := n.Field("local"); {
		case c.Name == "":
			return d.On(n.Field("name"), "a cluster without a name", "a name such as C64")
		case c.Machine == "" && n.Field("external") == nil:
			return d.On(n, document.NoField("clusters", "external"), "such as {service_time: 1s}")
		case c.Machine == "" && n.Field("external").Field("service_time") == nil:
			return d.On(n.Field("external"), document.NoField("external", "service_time"), "a time such as 1s")
		case c.Machine == "" && c.Count != nil:
			return d.On(n.Field("count"), fmt.Sprintf("cluster %q: a count without a machine", c.Name),
				"the machine that is counted, or servers")
		case c.Machine != "" && c.Servers != nil:
			return d.On(n.Field("servers"), fmt.Sprintf("cluster %q: servers beside a machine", c.Name),
				"count, the number of machines, or no machine")
		case c.Count != nil && (*c.Count < 1 || *c.Count > 1e12):
			return d.On(n.Field("count"), fmt.Sprintf("cluster %q: count = %d", c.Name, int64(*c.Count)), "1 to 1e12")
		case servers < 1:
			return d.On(n.Field("servers"), fmt.Sprintf("cluster %q: servers = %g", c.Name, servers), "1 or more")
		case c.External.ServiceTime == 0 && n.Field("external").Field("service_time") != nil:
			return d.On(n.Field("external").Field("service_time"),
				fmt.Sprintf("cluster %q: external service_time = 0", c.Name), "a mean service time above 0 such as 1s")
		case c.Local == nil:
		case c.Local.Rate.Nominal() == 0:
			return d.On(local.Field("rate"), fmt.Sprintf("cluster %q: local rate = %s", c.Name, c.Local.Rate),
				"a rate above 0 such as 0.3/s, or no local stream: leave local out")
		case c.Local.ServiceTime == 0:
			return d.On(local.Field("service_time"), fmt.Sprintf("cluster %q: local service_time = 0", c.Name),
				"a mean service time above 0 such as 0.8s")
		case c.Machine != "": // its servers are not known here
		default:
			// The most likely rate counts. Ranges may reach beyond, and the answer then says how
			// often a cluster is saturated.
			rate := float64(c.Local.Rate.Nominal())
			if rho := rate * float64(c.Local.ServiceTime) / servers; rho >= 1 {
				return d.On(local,
					fmt.Sprintf(
						"cluster %q is saturated by its local requests: utilization = rate × service_time / "+
							"servers = %.6g",
						c.Name, rho,
					),
					"less than 1")
			}
		}
		if c.Machine != "" {
			continue
		}
		if err := checkModel(d, c, n); err != nil {
			return err
		}
	}
	return nil
}

// checkModel checks a cluster against the domain of the model, and says which field of the file
// lies outside.
func checkModel(d *document.Document, c *Cluster, n *document.Node) error {
	m := c.model()
	_, err := m.Capacity()
	var domain *routing.DomainError
	switch saturated := (*routing.SaturatedError)(nil); {
	case errors.As(err, &saturated):
		return d.On(n.Field("local"), fmt.Sprintf("cluster %q is saturated by its local requests", c.Name),
			"a utilization clearly below 1")
	case !errors.As(err, &domain):
		return err
	}
	// The argument that the model refuses belongs to one of the streams, and the
	// place is that of its field.
	stream, fields := n.Field("external"), []string{"service_time"}
	switch domain.Arg {
	case "servers", "power", "price":
		stream, fields = n, []string{domain.Arg}
	case "local rate":
		stream, fields = n.Field("local"), []string{"rate"}
	case "local service time":
		stream = n.Field("local")
	case "local second moment":
		stream, fields = n.Field("local"), momentFields(m.LocalServiceTime)
	case "second moment":
		fields = momentFields(m.ServiceTime)
	}
	at := stream
	for _, f := range fields {
		if v := stream.Field(f); v != nil {
			at = v
			break
		}
	}
	return d.On(at, ask.Sprintf("cluster %q: %s = %v", c.Name, domain.Arg, domain.Value), domain.Want)
}

// momentFields lists the fields behind a second moment, the likelier at fault
// first. A square that overflows is the fault of the mean; otherwise the
// variability is likelier.
func momentFields(mean float64) []string {
	if math.IsInf(mean*mean, 1) {
		return []string{"service_time"}
	}
	return []string{"scv", "service_time"}
}

// maxRatio bounds a ratio of service times, whose square enters the model.
const maxRatio = 1e100

// CheckTypes checks the types of requests of a file: each has a name of its own, the shares add up
// to at most 1, and weights and ratios are above 0. Errors: those of the document, by line and
// column.
func CheckTypes(d *document.Document, f *ClusterFile) error {
	if d == nil || f == nil {
		return ask.Missing("types", "a file of clusters")
	}
	list := d.Root.Field("types")
	seen := make(map[string]int, len(f.Types))
	total := 0.0
	for i := range f.Types {
		t, n := &f.Types[i], list.Item(i)
		if first, ok := seen[t.Name]; ok {
			return d.On(n.Field("name"),
				fmt.Sprintf("type %q is given twice (first on line %d)", t.Name, list.Item(first).Field("name").Line),
				"a name of its own")
		}
		seen[t.Name] = i
		switch {
		case t.Name == "":
			return d.On(n.Field("name"), "a type without a name", "a name such as urgent")
		case t.Share == 0:
			return d.On(n.Field("share"), fmt.Sprintf("type %q: share = 0", t.Name), "a share above 0 such as 25%")
		case t.Weight != nil && *t.Weight == 0:
			return d.On(n.Field("weight"), fmt.Sprintf("type %q: weight = 0", t.Name), "a weight above 0 such as 4")
		case t.ServiceRatio != nil && *t.ServiceRatio == 0:
			return d.On(n.Field("service_ratio"), fmt.Sprintf("type %q: service_ratio = 0", t.Name),
				"a ratio above 0 such as 1.5")
		}
		if v := t.ServiceRatio; v != nil && (*v < 1/maxRatio || *v > maxRatio) {
			return d.On(n.Field("service_ratio"), fmt.Sprintf("type %q: service_ratio = %g", t.Name, float64(*v)),
				fmt.Sprintf("%g to %g", 1/maxRatio, maxRatio))
		}
		// The tolerance covers the rounding of decimal shares.
		if total += float64(t.Share); total > 1+1e-9 {
			return d.On(n.Field("share"), fmt.Sprintf("the shares add up to %.6g", total), "at most 1")
		}
	}
	return nil
}
