package leases

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// A File describes clusters with local requests of their own and the external
// requests that a gateway sends them.
type File struct {
	External Stream    `json:"external"`
	Clusters []Cluster `json:"clusters" jsonschema:"minItems=1"`
	// Types are the shares of the external requests; nil: a quarter each.
	Types *Types `json:"types,omitempty"`
	// ReferenceSpeed is that at which durations were measured, in the unit of the
	// clusters' speeds; nil: a lease lasts as long on every cluster.
	ReferenceSpeed *units.Number `json:"reference_speed,omitempty"`
	// LocalShare is the part of the local requests that is kept, at random; nil:
	// all.
	LocalShare *units.Fraction `json:"local_share,omitempty"`
	Overheads  *Overheads      `json:"overheads,omitempty"`
	// Slack says by when a migratable lease ends: its arrival + (1 + slack) times
	// its duration; nil: 1.
	Slack *units.Number `json:"slack,omitempty"`
}

// A Cluster is nodes alike, and its own requests.
type Cluster struct {
	Name  string        `json:"name" jsonschema:"minLength=1"` // a name that no other has in the file
	Nodes units.Count   `json:"nodes"`                         // number of nodes of the cluster
	Speed *units.Number `json:"speed,omitempty"`               // speed of a node, in any unit; nil: 1
	Local *Stream       `json:"local,omitempty"`               // requests of its own users; nil: none
}

// A Stream is a stream of requests.
type Stream struct {
	Gap      Gap      `json:"gap"`
	Size     *Size    `json:"size,omitempty"` // nil: one node
	Duration Duration `json:"duration"`
	// CV of the service times, which PAP splits by; nil: what sizes and durations
	// have.
	CV *units.Number `json:"cv,omitempty"`
}

// A Gap is the time from one request to the next: Weibull.
type Gap struct {
	Scale units.Duration `json:"scale"`           // scale of the Weibull law, above 0
	Shape *units.Number  `json:"shape,omitempty"` // its shape; nil: 1, exponential with mean scale
}

// A Size is how many nodes a request takes: one with a chance, the next power of
// two above 2^r with another, else 2^r rounded, with r uniform between low and knee
// with the chance low_share and between knee and high otherwise.
type Size struct {
	One      units.Fraction `json:"one"`       // chance of a single node
	Pow2     units.Fraction `json:"pow2"`      // chance of a power of two
	Low      units.Number   `json:"low"`       // least exponent of 2
	Knee     units.Number   `json:"knee"`      // exponent where the density breaks
	High     units.Number   `json:"high"`      // greatest exponent of 2
	LowShare units.Fraction `json:"low_share"` // chance to be below the knee
}

// A Duration is how long a request lasts: lognormal.
type Duration struct {
	Mean  units.Duration `json:"mean"`            // mean duration, above 0
	Sigma *units.Number  `json:"sigma,omitempty"` // standard deviation of its logarithm; nil: 0, all alike
}

// Types are shares that add up to 1; a nil one is 0.
type Types struct {
	Cancelable     *units.Fraction `json:"cancelable,omitempty"`      // share that is cancelled when preempted
	Suspendable    *units.Fraction `json:"suspendable,omitempty"`     // share that is suspended and resumed
	Migratable     *units.Fraction `json:"migratable,omitempty"`      // share that is moved elsewhere
	NonPreemptable *units.Fraction `json:"non_preemptable,omitempty"` // share that is never preempted
}

// Overheads of a preemption; a nil one is that of InterGrid.
type Overheads struct {
	Suspend *units.Duration `json:"suspend,omitempty"` // time to suspend a lease; nil: 160 s
	Resume  *units.Duration `json:"resume,omitempty"`  // time to resume a lease; nil: 126 s
	Migrate *units.Duration `json:"migrate,omitempty"` // time to migrate a lease; nil: 372.5 s
}

// fileForm is what an error asks for.
const fileForm = `external requests and clusters such as "external: {gap: {scale: 10s}, duration: {mean: 420s}}" and "clusters: [{name: a, nodes: 64}]"`

// Read reads the file of a system, YAML or JSON by its content. Whatever is wrong
// is a *FileError with line and column. name is used in messages only.
func Read(ctx context.Context, name string, r io.Reader) (*File, error) {
	f := &File{}
	d, err := document.ReadInto(ctx, name, fileForm, r, f, "the document")
	if err != nil {
		return nil, err
	}
	return f, check(d, f)
}

// CheckAt checks a system that stands in a document, at whose places its errors
// are.
func (f *File) CheckAt(d *document.Document) error {
	if f == nil || d == nil || d.Root == nil {
		return ask.Missing("file", "clusters and external requests")
	}
	return check(d, f)
}

// Most of what is checked bounds what a simulation can take.
const (
	mostNodes    = 1 << 24
	mostClusters = 10_000
	leastGap     = 1e-6 // s
	mostTime     = 1e12 // s
)

// check looks at what the types of the fields let pass: names, bounds, and requests that are wider
// than any cluster they may be sent to.
func check(d *document.Document, f *File) error {
	list := d.Root.Field("clusters")
	if n := len(f.Clusters); n == 0 || n > mostClusters {
		return d.On(list, fmt.Sprintf("%d clusters", n), "1 to 10000, such as \"clusters: [{name: a, nodes: 64}]\"")
	}
	least := math.Inf(1)
	names := map[string]int32{}
	for i := range f.Clusters {
		c, n := &f.Clusters[i], list.Item(i)
		first, twice := names[c.Name]
		switch {
		case c.Name == "":
			return d.On(n.Field("name"), "a cluster without a name", "a name such as C64")
		case twice:
			return d.On(n.Field("name"), fmt.Sprintf("cluster %q is given twice (first on line %d)", c.Name, first),
				"a name of its own")
		case c.Nodes < 1 || c.Nodes > mostNodes:
			return d.On(n.Field("nodes"), fmt.Sprintf("cluster %q: nodes = %d", c.Name, int64(c.Nodes)),
				"1 to 16777216")
		case c.Speed != nil && !(*c.Speed > 0 && *c.Speed < mostTime):
			return d.On(n.Field("speed"), fmt.Sprintf("cluster %q: speed = %v", c.Name, float64(*c.Speed)),
				"a speed above 0 such as 2000")
		}
		names[c.Name] = n.Field("name").Line
		least = min(least, float64(c.Nodes))
		if c.Local == nil {
			continue
		}
		if err := c.Local.check(d, n.Field("local"), fmt.Sprintf("local requests of %q", c.Name), float64(c.Nodes),
			"the cluster has"); err != nil {
			return err
		}
	}
	// An external request may be sent to any cluster, and so must fit the
	// smallest.
	if err := f.External.check(d, d.Root.Field("external"), "external requests",
		least, "the smallest cluster has, because a lease may be sent to any cluster"); err != nil {
		return err
	}
	return f.checkRest(d)
}

// checkRest checks what is not of a stream.
func (f *File) checkRest(d *document.Document) error {
	if t := f.Types; t != nil {
		sum := 0.0
		for _, v := range t.shares() {
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			return d.On(d.Root.Field("types"), fmt.Sprintf("the shares add up to %.6g", sum),
				"shares that add up to 100%")
		}
	}
	switch {
	case f.ReferenceSpeed != nil && !(*f.ReferenceSpeed > 0 && *f.ReferenceSpeed < mostTime):
		return d.On(d.Root.Field("reference_speed"), fmt.Sprintf("reference_speed = %v", float64(*f.ReferenceSpeed)),
			"a speed above 0 such as 1000, or none: leases then take equally long on every cluster")
	case f.LocalShare != nil && *f.LocalShare == 0:
		return d.On(d.Root.Field("local_share"), "local_share = 0", "more than 0%, or clusters without local requests")
	case f.LocalShare != nil && !slices.ContainsFunc(f.Clusters, func(c Cluster) bool { return c.Local != nil }):
		return d.On(d.Root.Field("local_share"), "no cluster has local requests", "a cluster with local, or no share")
	case f.Slack != nil && !(*f.Slack >= 0 && *f.Slack < mostTime):
		return d.On(d.Root.Field("slack"), fmt.Sprintf("slack = %v", float64(*f.Slack)), "0 or more, such as 1")
	}
	if o := f.Overheads; o != nil {
		for _, v := range []struct {
			name string
			v    *units.Duration
		}{{"suspend", o.Suspend}, {"resume", o.Resume}, {"migrate", o.Migrate}} {
			if v.v != nil && float64(*v.v) > mostTime {
				return d.On(d.Root.Field("overheads").Field(v.name), v.name+" is too long", "at most 1e12s")
			}
		}
	}
	return nil
}

// check checks the stream at a node of the document. The bounds keep the laws
// within what can be drawn from and summed.
func (s *Stream) check(d *document.Document, n *document.Node, what string, nodes float64, has string) error {
	gap, long := n.Field("gap"), n.Field("duration")
	scale, mean := float64(s.Gap.Scale), float64(s.Duration.Mean)
	switch {
	case !(scale >= leastGap && scale <= mostTime):
		return d.On(gap.Field("scale"), fmt.Sprintf("%s: scale of the gaps = %v s", what, scale), "1us to 1e12s")
	case s.Gap.Shape != nil && !(*s.Gap.Shape >= 0.1 && *s.Gap.Shape <= 1000):
		return d.On(gap.Field("shape"), fmt.Sprintf("%s: shape of the gaps = %v", what, float64(*s.Gap.Shape)),
			"0.1 to 1000, such as 0.5")
	case !(mean > 0 && mean <= mostTime):
		return d.On(long.Field("mean"), fmt.Sprintf("%s: mean duration = %v s", what, mean),
			"a time above 0 such as 420s, at most 1e12s")
	case s.Duration.Sigma != nil && !(*s.Duration.Sigma >= 0 && *s.Duration.Sigma <= 6):
		return d.On(long.Field("sigma"), fmt.Sprintf("%s: sigma = %v", what, float64(*s.Duration.Sigma)),
			"0 to 6, such as 1.7")
	case s.CV != nil && !(*s.CV >= 0 && *s.CV <= 1000):
		return d.On(n.Field("cv"), fmt.Sprintf("%s: cv = %v", what, float64(*s.CV)), "0 to 1000, such as 0.5")
	}
	z := s.Size
	if z == nil {
		return nil
	}
	at := n.Field("size")
	switch {
	case float64(z.One)+float64(z.Pow2) > 1+1e-9:
		return d.On(at.Field("pow2"),
			fmt.Sprintf("%s: one and pow2 add up to %.6g", what, float64(z.One)+float64(z.Pow2)), "at most 100%")
	case !(z.Low >= -10 && z.Low < z.Knee):
		return d.On(at.Field("low"), fmt.Sprintf("%s: low = %v", what, float64(z.Low)),
			fmt.Sprintf("less than knee, %v", float64(z.Knee)))
	case !(z.High > z.Knee):
		return d.On(at.Field("high"), fmt.Sprintf("%s: high = %v", what, float64(z.High)),
			fmt.Sprintf("more than knee, %v", float64(z.Knee)))
	}
	if widest := math.Exp2(math.Ceil(float64(z.High))); widest > nodes && z.One < 1 {
		return d.On(at.Field("high"), fmt.Sprintf("%s: high = %v, up to %s nodes", what, float64(z.High), ask.Digits(widest)),
			fmt.Sprintf("at most the %.6g nodes that %s", nodes, has))
	}
	return nil
}
