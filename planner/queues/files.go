package queues

import (
	"context"
	"fmt"
	"io"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// A JobClass is one class of customers of a queue. Which fields are needed
// depends on the queue; a nil field is not given. Which of them must be there is
// checked by the functions of the queues, since one file of classes serves both
// priority and loss.
type JobClass struct {
	Name        string          `json:"name,omitempty"`
	Rate        *units.Rate     `json:"rate,omitempty"`
	ServiceTime *units.Duration `json:"service,omitempty"`
	Load        *units.Erlang   `json:"load,omitempty"`    // jobs: rate times service time
	SCV         *units.Number   `json:"scv,omitempty"`     // of the service time; nil: 1
	Servers     *units.Count    `json:"servers,omitempty"` // that a job needs at once; nil: 1
	Reserve     *units.Count    `json:"reserve,omitempty"` // that must stay free for others; nil: 0
}

// jobClassesForm, and the forms below, are what an error asks for: an example
// that can be copied.
const jobClassesForm = "a list of classes such as - {name: batch, rate: 2/min, service: 20s}"

// ReadJobClasses reads a list of classes, YAML or JSON by its content. Errors
// as [routes.ReadClusters].
func ReadJobClasses(ctx context.Context, name string, r io.Reader) ([]JobClass, error) {
	var classes []JobClass
	d, err := document.ReadInto(ctx, name, jobClassesForm, r, &classes, "the document")
	if err != nil {
		return nil, err
	}
	if len(classes) == 0 {
		return nil, d.On(d.Root, "no classes", "at least one, "+jobClassesForm)
	}
	return classes, nil
}

// readNetwork fills in and checks a network of whichever kind.
func readNetwork[F interface {
	CheckAt(*document.Document) error
}](ctx context.Context, name, form string,
	r io.Reader, f F) (none F, err error) {
	d, err := document.ReadInto(ctx, name, form, r, f, "the document")
	if err != nil {
		return none, err
	}
	return f, f.CheckAt(d)
}

// A ClosedNetworkFile is a network that a fixed number of customers goes round
// in. The customers share their stations and differ by class in their demands.
type ClosedNetworkFile struct {
	Stations []ClosedStation `json:"stations" jsonschema:"minItems=1"`
	Classes  []ClosedClass   `json:"classes" jsonschema:"minItems=1"`
}

// A ClosedStation is a station of a ClosedNetworkFile.
type ClosedStation struct {
	Name    string       `json:"name"`
	Servers *units.Count `json:"servers,omitempty"` // 1 or more; nil: 1
	Kind    string       `json:"kind,omitempty"`    // "delay": everybody is served at once; empty: a queue
}

// A ClosedClass is a class of customers of a ClosedNetworkFile. Customers never
// leave: each thinks, goes once through the stations, and begins anew.
type ClosedClass struct {
	Name      string      `json:"name"`
	Customers units.Count `json:"customers"`
	// ThinkTime is spent outside of all stations, where nobody is in the way;
	// nil: none.
	ThinkTime *units.Duration  `json:"think_time,omitempty"`
	Demands   []units.Duration `json:"demands"` // per station, in their order: visits times service time
}

const closedForm = `stations such as "- {name: cpu, servers: 2}" and classes such as "- {name: user, customers: 20, think_time: 5s, demands: [30ms]}", a demand for each station`

// ReadClosedNetwork reads a closed network, YAML or JSON by its content.
// Errors as [routes.ReadClusters].
func ReadClosedNetwork(ctx context.Context, name string, r io.Reader) (*ClosedNetworkFile, error) {
	return readNetwork(ctx, name, closedForm, r, &ClosedNetworkFile{})
}

// CheckAt checks a network that stands in a document, at whose places its errors
// are. A scenario holds the network in a part of its own file, and so calls this
// with its document instead of reading one.
func (f *ClosedNetworkFile) CheckAt(d *document.Document) error {
	if f == nil || d == nil || d.Root == nil {
		return ask.Missing("network", "stations and classes")
	}
	if len(f.Stations) == 0 || len(f.Classes) == 0 {
		return d.On(d.Root, "no stations or no classes", closedForm)
	}
	// Names are checked first: the messages after it use them to say where.
	if err := d.UniqueNames("stations", len(f.Stations), func(i int) string { return f.Stations[i].Name }); err != nil {
		return err
	}
	if err := d.UniqueNames("classes", len(f.Classes), func(i int) string { return f.Classes[i].Name }); err != nil {
		return err
	}
	for i, s := range f.Stations {
		n := d.Root.Field("stations").Item(i)
		if s.Kind != "" && s.Kind != "delay" {
			return d.On(n.Field("kind"), fmt.Sprintf("station %q: kind = %q", s.Name, s.Kind),
				"delay, or none for a queue")
		}
		if s.Servers != nil && *s.Servers < 1 {
			return d.On(n.Field("servers"), fmt.Sprintf("station %q: servers = %d", s.Name, *s.Servers), "1 or more")
		}
	}
	// A demand that is missing would silently be 0, and the figures those of a
	// network without the station.
	for i, c := range f.Classes {
		if len(c.Demands) != len(f.Stations) {
			n := d.Root.Field("classes").Item(i).Field("demands")
			return d.On(n,
				fmt.Sprintf("class %q has %s for %s", c.Name, fault.Count(len(c.Demands), "demand"),
					fault.Count(len(f.Stations), "station")),
				"one for each station, in their order")
		}
	}
	return nil
}

// An OpenNetworkFile is a network that customers enter, and leave. The traffic
// equations follow the shares, which are those of a customer who forgets where it
// has been.
type OpenNetworkFile struct {
	Stations []OpenStation `json:"stations" jsonschema:"minItems=1"`
}

// An OpenStation is a station of an OpenNetworkFile.
type OpenStation struct {
	// Rate is that of customers from outside, and so not that at which the
	// station is visited: others come from stations before it.
	Name        string         `json:"name"`
	Rate        *units.Rate    `json:"rate,omitempty"` // from outside; nil: none
	ServiceTime units.Duration `json:"service"`        // mean, above 0
	// Servers are those of the station; nil: 1.
	Servers *units.Count  `json:"servers,omitempty"`
	Next    []NextStation `json:"next,omitempty"` // what is left to 1 leaves the network
}

// A NextStation says where customers go from a station. Two entries of the same
// station add up.
type NextStation struct {
	Station string         `json:"station"`
	Share   units.Fraction `json:"share"`
}

// mostOpenStations bounds the traffic equations, which are solved as a whole: 5,000 of them take
// 460 MB and 7 s of CPU, and both grow with a power of their number.
const mostOpenStations = 5000

const openForm = `stations such as "- {name: web, rate: 5/s, service: 100ms, servers: 2, next: [{station: db, share: 40%}]}"`

// ReadOpenNetwork reads an open network, YAML or JSON by its content. Errors
// as [routes.ReadClusters].
func ReadOpenNetwork(ctx context.Context, name string, r io.Reader) (*OpenNetworkFile, error) {
	return readNetwork(ctx, name, openForm, r, &OpenNetworkFile{})
}

// CheckAt checks a network that stands in a document, at whose places its errors
// are.
func (f *OpenNetworkFile) CheckAt(d *document.Document) error {
	if f == nil || d == nil || d.Root == nil {
		return ask.Missing("network", "stations")
	}
	list := d.Root.Field("stations")
	if len(f.Stations) == 0 {
		return d.On(d.Root, "no stations", openForm)
	}
	if len(f.Stations) > mostOpenStations {
		return d.On(list, fmt.Sprintf("%d stations", len(f.Stations)), fmt.Sprintf("at most %d", mostOpenStations))
	}
	known := map[string]bool{}
	for _, s := range f.Stations {
		known[s.Name] = true
	}
	if err := d.UniqueNames("stations", len(f.Stations), func(i int) string { return f.Stations[i].Name }); err != nil {
		return err
	}
	for i, s := range f.Stations {
		n := list.Item(i)
		// A station that takes no time would be no station: all of its figures
		// would be 0.
		if s.ServiceTime == 0 {
			return d.On(n.Field("service"), fmt.Sprintf("station %q: service = 0", s.Name),
				"a mean service time above 0 such as 100ms")
		}
		if s.Servers != nil && *s.Servers < 1 {
			return d.On(n.Field("servers"), fmt.Sprintf("station %q: servers = %d", s.Name, *s.Servers), "1 or more")
		}
		total := 0.0
		for k, next := range s.Next {
			if !known[next.Station] {
				return d.On(n.Field("next").Item(k).Field("station"),
					fmt.Sprintf("station %q sends to the unknown station %q", s.Name, next.Station),
					"the name of a station")
			}
			total += float64(next.Share)
		}
		// Decimal shares such as ten times 0.1 add up to 1 but for rounding,
		// which the tolerance covers.
		if total > 1+1e-12 {
			return d.On(n.Field("next"), fmt.Sprintf("station %q: the shares add up to %g", s.Name, total),
				"at most 1 (100%)")
		}
	}
	return nil
}

// A LinkNetworkFile is a network of links shared by routes with fixed paths. A
// request takes a circuit of each link of its route at once, or it is lost.
type LinkNetworkFile struct {
	Links  []NetworkLink  `json:"links" jsonschema:"minItems=1"`
	Routes []NetworkRoute `json:"routes" jsonschema:"minItems=1"`
}

// A NetworkLink is a link of a LinkNetworkFile.
type NetworkLink struct {
	Name string `json:"name"`
	// Servers may be fractional: the formula of Erlang B is continued between
	// whole numbers. A simulation cuts them down.
	Servers units.Number `json:"servers"` // circuits
}

// A NetworkRoute is a stream of requests that hold one circuit on each of its
// links. Load is offered by the route, before any link has lost a part of it.
type NetworkRoute struct {
	Name  string       `json:"name"`
	Load  units.Erlang `json:"load"`
	Links []string     `json:"links"` // names, each once
}

const linksForm = `links such as "- {name: a-b, servers: 30}" and routes such as "- {name: a to c, load: 10, links: [a-b, b-c]}"`

// ReadLinkNetwork reads a network of links, YAML or JSON by its content.
// Errors as [routes.ReadClusters].
func ReadLinkNetwork(ctx context.Context, name string, r io.Reader) (*LinkNetworkFile, error) {
	return readNetwork(ctx, name, linksForm, r, &LinkNetworkFile{})
}

// CheckAt checks a network that stands in a document, at whose places its errors
// are.
func (f *LinkNetworkFile) CheckAt(d *document.Document) error {
	if f == nil || d == nil || d.Root == nil {
		return ask.Missing("network", "links and routes")
	}
	if len(f.Links) == 0 || len(f.Routes) == 0 {
		return d.On(d.Root, "no links or no routes", linksForm)
	}
	if err := d.UniqueNames("links", len(f.Links), func(i int) string { return f.Links[i].Name }); err != nil {
		return err
	}
	if err := d.UniqueNames("routes", len(f.Routes), func(i int) string { return f.Routes[i].Name }); err != nil {
		return err
	}
	known := map[string]bool{}
	for i, l := range f.Links {
		known[l.Name] = true
		// Beyond the domain of Erlang B an error at the place in the file is of
		// more use than one of the formula.
		if l.Servers > queueing.MaxServers {
			return d.On(d.Root.Field("links").Item(i).Field("servers"),
				ask.Sprintf("link %q: servers = %v", l.Name, float64(l.Servers)), "0 to 1e12")
		}
	}
	for i, route := range f.Routes {
		n := d.Root.Field("routes").Item(i).Field("links")
		if route.Load > queueing.MaxServers {
			return d.On(d.Root.Field("routes").Item(i).Field("load"),
				ask.Sprintf("route %q: load = %v erl", route.Name, float64(route.Load)), "0 to 1e12 erl")
		}
		seen := map[string]bool{}
		// A link that stood twice would have to give two circuits, which the
		// fixed point has no term for.
		for k, l := range route.Links {
			if !known[l] || seen[l] {
				return d.On(n.Item(k), fmt.Sprintf("route %q: link %q is unknown or given twice", route.Name, l),
					"the name of a link, each at most once")
			}
			seen[l] = true
		}
		// A route without links would never lose a request. That is more likely a
		// typing error than a question.
		if len(route.Links) == 0 {
			return d.On(n, fmt.Sprintf("route %q has no links", route.Name), "the names of its links")
		}
	}
	return nil
}
