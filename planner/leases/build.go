package leases

import (
	"math"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim/lease"
	"github.com/capplan/capplan/units"
)

// System returns what the file describes, to be simulated. Overheads that the
// file does not give are those of InterGrid.
func (f *File) System() (*lease.System, error) {
	s := &lease.System{Workload: routing.Workload{Name: "file"}}
	var err error
	if s.Workload.External, err = f.External.model("external"); err != nil {
		return nil, err
	}
	for i := range f.Clusters {
		c := &f.Clusters[i]
		site := routing.Site{Local: none(c.Name), Elements: float64(c.Nodes), Speed: ask.Or(c.Speed, 1.0)}
		if c.Local != nil {
			if site.Local, err = c.Local.model(c.Name); err != nil {
				return nil, err
			}
		}
		s.Workload.Sites = append(s.Workload.Sites, site)
	}
	if f.Types != nil {
		s.Shares = f.Types.shares()
	}
	s.ReferenceSpeed = ask.Or(f.ReferenceSpeed, s.ReferenceSpeed)
	s.LocalShare = ask.Or(f.LocalShare, s.LocalShare)
	if f.Slack != nil {
		s.Slack = new(float64(*f.Slack))
	}
	if o := f.Overheads; o != nil {
		v := lease.InterGridOverheads
		for _, p := range []struct {
			from *units.Duration
			to   *float64
		}{{o.Suspend, &v.Suspend}, {o.Resume, &v.Resume}, {o.Migrate, &v.Migrate}} {
			if p.from != nil {
				*p.to = float64(*p.from)
			}
		}
		s.Overheads = &v
	}
	return s, nil
}

// shares are the four in the order of the types of leases; one that is not given
// is 0.
func (t *Types) shares() (all [4]float64) {
	for i, v := range []*units.Fraction{t.Cancelable, t.Suspendable, t.Migratable, t.NonPreemptable} {
		all[i] = float64(ask.Value(v))
	}
	return all
}

// oneNode is the size of requests that have none: the law of 2^r is not drawn from.
var oneNode = routing.SizeLaw{One: 1, Parallel: law.TwoStage{L: 0, M: 1, H: 2, Q: 1}}

// none is a stream of which nothing comes within any horizon. A gap of 1e30 s
// stands for no requests, since a law of gaps has to have a mean.
func none(name string) routing.Stream {
	return routing.Stream{Name: name, Size: oneNode, Gap: law.Weibull{Scale: 1e30, Shape: 1}}
}

// model is the stream in the terms of the model. A variability that is not given
// is that of sizes and durations, which is what the clusters see.
func (s *Stream) model(name string) (routing.Stream, error) {
	out := routing.Stream{Name: name, Size: oneNode,
		Gap: law.Weibull{Scale: float64(s.Gap.Scale), Shape: ask.Or(s.Gap.Shape, 1.0)}}
	if z := s.Size; z != nil {
		out.Size = routing.SizeLaw{
			One:      float64(z.One),
			Pow2:     float64(z.Pow2),
			Parallel: law.TwoStage{L: float64(z.Low), M: float64(z.Knee), H: float64(z.High), Q: float64(z.LowShare)},
		}
	}
	out.Duration.Sigma = float64(ask.Value(s.Duration.Sigma))
	// The mean of a lognormal law is e^(μ + σ²/2).
	out.Duration.Mu = math.Log(float64(s.Duration.Mean)) - out.Duration.Sigma*out.Duration.Sigma/2
	if s.CV != nil {
		out.CV = float64(*s.CV)
		return out, nil
	}
	scv, err := out.WorkSCV()
	out.CV = math.Sqrt(max(0, scv))
	return out, err
}
