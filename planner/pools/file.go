package pools

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// A File describes a pool. What is left out is as in PCU section 5.1, or as
// package pool reads what the paper does not say.
type File struct {
	Dedicated units.Count `json:"dedicated"` // machines of speed 1
	Public    *Public     `json:"public,omitempty"`
	Link      *Link       `json:"link,omitempty"`
	Jobs      Jobs        `json:"jobs"`
	Agreement *Agreement  `json:"agreement,omitempty"`
	// Policy is preemptive (algorithm 1; also where it is empty) or static.
	Policy    string          `json:"policy,omitempty"`
	Epoch     *units.Duration `json:"epoch,omitempty"`      // nil: 120 s
	CoolDown  *units.Duration `json:"cooldown,omitempty"`   // after a migration; nil: one epoch
	DropAfter *units.Duration `json:"drop_after,omitempty"` // a job in the queue; nil: 1 h
	Replicas  *units.Count    `json:"replicas,omitempty"`   // replicas of a job on public machines; nil: 2
	// Precopy is the share of the footprint that is left to move when a job stops,
	// after all of it was copied as it went on; nil: it stands still throughout.
	Precopy *units.Fraction `json:"precopy,omitempty"`
	// ReplicasFrom is sibling (also where it is empty), which copies a live one, or
	// store, which takes the last state in the cluster.
	ReplicasFrom string `json:"replicas_from,omitempty"`

	d    *document.Document
	over []string // fields, by their names, whose values do not come from the document
}

// Over says that the values of some fields were replaced since the file was read: what is wrong with one of them is
// an *ask.InputError of its name.
func (f *File) Over(fields ...string) { f.over = append(f.over, fields...) }

// on is an error of a field, which stands below at.
func (f *File) on(at *document.Node, field, problem, want string) error {
	if slices.Contains(f.over, field) {
		if is, ok := strings.CutPrefix(problem, field+" = "); ok {
			problem = "is " + is
		}
		return &ask.InputError{Field: field, Reason: problem + ", want " + want}
	}
	return f.d.On(at.Field(field), problem, want)
}

// Public are machines that come and go. One of three ways says when they are
// available: two laws, two means, or a trace; without any it is mixtures of
// exponential laws, of 3 min to 5 h on and 7 or 55 min away.
type Public struct {
	Machines *units.Count  `json:"machines,omitempty"` // their number; nil: 10,000
	Speed    *units.Number `json:"speed,omitempty"`    // mean speed relative to a dedicated machine; nil: 0.34
	SpeedCV  *units.Number `json:"speed_cv,omitempty"` // coefficient of variation of the speeds (lognormal); nil: 0.5
	Speeds   string        `json:"speeds,omitempty"`   // file with one speed a line, in place of these
	On       string        `json:"on,omitempty"`       // law of how long a machine is available
	Off      string        `json:"off,omitempty"`      // law of how long a machine is away
	// OnOff gives two means such as 5min/2min, exponential, or always.
	OnOff string `json:"on_off,omitempty"`
	Trace string `json:"trace,omitempty"` // file of events, of which each machine follows one node
}

// Link is the network; what is left out is 100 Mbit/s, 1 Mbit/s and 100 ms.
type Link struct {
	Up      *units.Bandwidth `json:"up,omitempty"`      // uplink of the cluster
	Down    *units.Bandwidth `json:"down,omitempty"`    // downlink of the cluster
	Line    *units.Bandwidth `json:"line,omitempty"`    // bandwidth of a public machine, each way
	Latency *units.Duration  `json:"latency,omitempty"` // latency of a transfer
}

// Jobs are drawn at a rate, or come from a log.
type Jobs struct {
	Rate *units.Rate `json:"rate,omitempty"` // jobs per time of all users together
	// Work is a time on a dedicated machine or a law; empty: 5000 s.
	Work      string       `json:"work,omitempty"`
	Footprint *units.Size  `json:"footprint,omitempty"` // data moved per job; nil: 1 MB, or the memory that a log says
	Users     *units.Count `json:"users,omitempty"`     // number of users; nil: 100
	// SWF is a log in Standard Workload Format; each processor of its jobs counts as
	// one job.
	SWF  string          `json:"swf,omitempty"`
	From *units.Duration `json:"from,omitempty"` // begin of the part of the log that is taken
	To   *units.Duration `json:"to,omitempty"`   // end of the part of the log that is taken
	// ReferenceSpeed is the speed of the machines of the log relative to a dedicated one; nil: 1.
	ReferenceSpeed *units.Number `json:"reference_speed,omitempty"`
	// FootprintFactor is the data that a migration moves, divided by the memory; nil: 3.
	FootprintFactor *units.Number `json:"footprint_factor,omitempty"`
}

// Agreement is what users were promised. ρ, τ, V₀ and e_max are the letters of
// PCU section 4.3.
type Agreement struct {
	Ratio *units.Fraction `json:"ratio,omitempty"` // promised share ρ of the load up to max_load; nil: 90 %
	// MaxLoad is the greatest load V₀ of a user that counts, in erlangs, uniform over the range; nil:
	// no bound.
	MaxLoad       *units.Range[units.Erlang] `json:"max_load,omitempty"`
	Window        *units.Duration            `json:"window,omitempty"`         // time τ over which ρ is taken; nil: 4 h
	MaxElongation *units.Excess              `json:"max_elongation,omitempty"` // greatest elongation e_max; nil: 200 %
}

// fileForm is what an error asks for.
const fileForm = `a pool such as "{dedicated: 100, public: {machines: 10000}, jobs: {rate: 0.1/s}}"`

// Read reads a pool, YAML or JSON by its content. Unknown fields, values that are
// no quantities and fields that contradict each other give a *FileError with line,
// column and the line.
func Read(ctx context.Context, name string, r io.Reader) (*File, error) {
	f := &File{}
	d, err := document.ReadInto(ctx, name, fileForm, r, f, "the pool")
	if err != nil {
		return nil, err
	}
	f.d = d
	if d.Root.Field("dedicated") == nil {
		return nil, d.On(d.Root, document.NoField("the pool", "dedicated"),
			"the number of dedicated machines, 0 for none")
	}
	return f, f.Check()
}

// CheckAt is Check of a pool that is a part of a document, at whose places its
// errors are.
func (f *File) CheckAt(part *document.Document) error {
	if f == nil || part == nil || part.Root == nil {
		return ask.Missing("pool", "dedicated machines and jobs")
	}
	f.d = part
	return f.Check()
}

// Check finds what does not go together, of a file that was read. Only a file
// that was read is checked, since errors are at its places.
func (f *File) Check() error {
	if f.d == nil {
		return ask.Missing("pool", "a file")
	}
	root := f.d.Root
	jobs := root.Field("jobs")
	switch {
	case jobs == nil:
		return f.d.On(root, document.NoField("the pool", "jobs"), `jobs such as "{rate: 0.1/s, work: 5000s}"`)
	case f.Jobs.Rate == nil && f.Jobs.SWF == "":
		return f.d.On(jobs, "jobs that never come", "a rate such as 0.1/s, or a log: swf")
	case f.Jobs.Rate != nil && f.Jobs.SWF != "":
		return f.on(jobs, "rate", "a rate beside a log", "one of the two")
	case f.Jobs.Rate != nil && *f.Jobs.Rate == 0:
		return f.on(jobs, "rate", "jobs that never come: rate = 0", "a rate above 0 such as 0.1/s")
	}
	// Options of a log beside drawn jobs, and the other way round, would not be
	// read.
	for _, c := range []struct {
		field string
		given bool
		log   bool // belongs to a log
	}{
		{"work", f.Jobs.Work != "", false},
		{"users", f.Jobs.Users != nil, false},
		{"from", f.Jobs.From != nil, true},
		{"to", f.Jobs.To != nil, true},
		{"reference_speed", f.Jobs.ReferenceSpeed != nil, true},
		{"footprint_factor", f.Jobs.FootprintFactor != nil, true},
	} {
		if c.given && c.log != (f.Jobs.SWF != "") {
			if c.log {
				return f.d.On(jobs.Field(c.field), c.field+" beside no log", "it with a log: swf")
			}
			return f.d.On(jobs.Field(c.field), c.field+" beside a log", "it with jobs that are drawn: rate")
		}
	}
	for _, c := range []struct{ field, given, first, second string }{
		{"policy", f.Policy, "preemptive", "static"},
		{"replicas_from", f.ReplicasFrom, "sibling", "store"},
	} {
		if c.given != "" && c.given != c.first && c.given != c.second {
			return f.d.On(root.Field(c.field), fmt.Sprintf("%s = %q", c.field, c.given), c.first+" or "+c.second)
		}
	}
	switch {
	case f.Epoch != nil && *f.Epoch == 0:
		return f.on(root, "epoch", "epoch = 0", "a time above 0 such as 120s")
	case f.Replicas != nil && (*f.Replicas < 1 || *f.Replicas > 1000):
		return f.on(root, "replicas", fmt.Sprintf("replicas = %d", int64(*f.Replicas)), "1 to 1000")
	case f.Precopy != nil && *f.Precopy == 0:
		return f.on(root, "precopy",
			"precopy = 0", "the share that is still moved when the job stops, above 0, such as 10%")
	}
	return f.checkPublic(root.Field("public"))
}

// checkPublic finds machines that come and go in more than one way.
func (f *File) checkPublic(at *document.Node) error {
	p := f.Public
	if p == nil {
		return nil
	}
	ways := 0
	for _, w := range []string{p.On + p.Off, p.OnOff, p.Trace} {
		if w != "" {
			ways++
		}
	}
	switch {
	case (p.On == "") != (p.Off == ""):
		return f.d.On(at, "only one of on and off", "laws of both times, there and away")
	case ways > 1:
		return f.d.On(at, "the machines come and go in several ways", "one of on and off, on_off, or trace")
	case p.Speeds != "" && (p.Speed != nil || p.SpeedCV != nil):
		if slices.Contains(f.over, "speed_cv") {
			return f.on(at, "speed_cv", "speeds of the file beside it", "one of the two")
		}
		return f.d.On(at.Field("speeds"), "speeds beside speed or speed_cv", "one of the two")
	case p.Speed != nil && *p.Speed == 0:
		return f.d.On(at.Field("speed"), "speed = 0", "a speed above 0 such as 0.34")
	case p.SpeedCV != nil && *p.SpeedCV > 100:
		return f.on(at, "speed_cv", fmt.Sprintf("speed_cv = %g", float64(*p.SpeedCV)), "at most 100")
	}
	return nil
}
