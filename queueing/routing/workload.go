package routing

import (
	"cmp"
	"math"

	"github.com/capplan/capplan/law"
)

// A Stream is a stream of requests by the laws of their sizes, durations and
// gaps, taken as independent.
type Stream struct {
	Name     string
	Size     SizeLaw
	Duration law.LogNormal // s, at the workload's reference speed
	Gap      law.Weibull   // s
	CV       float64       // of the service times; 0.5 external and 0.1 local in InterGrid 5.2.1
}

// WorkSCV returns the squared coefficient of variation of size times duration
// that the laws imply, (1 + c_v²)(1 + c_d²) − 1. It is far above the CV that
// InterGrid assumes, about 65 for its external requests.
func (s Stream) WorkSCV() (float64, error) {
	v, err := s.Size.SCV()
	if err != nil {
		return 0, err
	}
	if err := checkDuration("Stream.WorkSCV", s.Duration); err != nil {
		return 0, err
	}
	d := s.Duration.SCV()
	return v + d + v*d, nil
}

// A Site is a cluster of processing elements alike with its local stream.
type Site struct {
	Local    Stream
	Elements float64 // M, processing elements, ≥ 1
	Speed    float64 // s, MIPS of each
}

// A Workload is a stream of external requests and the sites that serve it.
type Workload struct {
	Name     string
	External Stream
	Sites    []Site
}

// A Conversion says how a workload becomes clusters. Its zero value reads eq.
// 28 exactly and eq. 16 as printed, one fast server a cluster.
type Conversion struct {
	Sizes          Reading
	ReferenceSpeed float64 // MIPS at which durations were measured; 0 means 1
	// SeveralServers makes each site a cluster of M/v̄ servers (InterGrid
	// section 4.1), v̄ of the external requests, instead of one fast server.
	SeveralServers bool
	// LocalShare is the part of the local requests that is kept, 0 < share ≤ 1,
	// at random; 0 means 1, all. The local requests of InterGrid table 2 saturate
	// clusters of several servers unless durations are short.
	LocalShare float64
	// GapSCV brings the variability of gaps in, as an approximation; without it
	// arrivals count as Poisson, as in the paper.
	GapSCV bool
}

// Clusters returns the clusters of the workload (InterGrid eq. 16 to 19) and
// the external rate in requests/s, the reciprocal of the mean gap. They need
// not be stable. Errors: *DomainError.
func (w Workload) Clusters(c Conversion) ([]Cluster, float64, error) {
	external, err := w.External.figures(c)
	if err != nil {
		return nil, 0, err
	}
	kept := c.LocalShare
	kept = cmp.Or(kept, 1)
	if !(kept > 0 && kept <= 1) {
		return nil, 0, &DomainError{"Workload.Clusters", "", "local share",
			c.LocalShare, "0 < local share <= 1 (0 means 1)"}
	}
	out := make([]Cluster, len(w.Sites))
	for j, site := range w.Sites {
		ck := check{fn: "Workload.Clusters", cluster: label(&Cluster{Name: site.Local.Name}, j)}
		if !(site.Elements >= 1) || math.IsInf(site.Elements, 1) {
			ck.fail("elements", site.Elements, "finite elements >= 1")
		}
		ck.positive("speed", site.Speed)
		if ck.err != nil {
			return nil, 0, ck.err
		}
		local, err := site.Local.figures(c)
		if err != nil {
			return nil, 0, err
		}
		power := site.Elements * site.Speed
		cl := Cluster{Name: site.Local.Name, LocalRate: kept * local.rate, Power: power}
		served := power
		if c.SeveralServers {
			cl.Servers = max(1, site.Elements/external.vms)
			served = power / cl.Servers
		}
		if cl.ServiceTime, err = (Work{external.vms, external.duration, c.ReferenceSpeed,
			served}).ServiceTime(); err != nil {
			return nil, 0, err
		}
		if cl.LocalServiceTime, err = (Work{local.vms, local.duration, c.ReferenceSpeed,
			served}).ServiceTime(); err != nil {
			return nil, 0, err
		}
		if cl.SecondMoment, err = SecondMoment(cl.ServiceTime, w.External.CV); err != nil {
			return nil, 0, err
		}
		if cl.LocalSecondMoment, err = SecondMoment(cl.LocalServiceTime, site.Local.CV); err != nil {
			return nil, 0, err
		}
		if c.GapSCV {
			cl.ExcessSCV, cl.LocalExcessSCV = external.gapSCV-1, kept*(local.gapSCV-1)
		}
		out[j] = cl
	}
	return out, external.rate, nil
}

// means are the figures of a stream that clusters are made of.
type means struct{ vms, duration, rate, gapSCV float64 }

func (s Stream) figures(c Conversion) (m means, err error) {
	if m.vms, err = s.Size.Mean(c.Sizes); err != nil {
		return m, err
	}
	const fn = "Workload.Clusters"
	if err := checkDuration(fn, s.Duration); err != nil {
		return m, err
	}
	if err := checkGap(fn, s.Gap); err != nil {
		return m, err
	}
	m.duration, m.rate, m.gapSCV = s.Duration.Mean(), 1/s.Gap.Mean(), s.Gap.SCV()
	return m, nil
}
