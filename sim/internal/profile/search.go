package profile

import "math"

// atLeast returns the first segment from s on with that many nodes free, of those in blocks that begin
// before until, and else the last of these. Where nodes are not more than the cluster has and until is
// never, there is one.
func (p *Profile) atLeast(s Spot, nodes int32, until float64) Spot {
	last := s.b
	for b, i := s.b, s.i; b < len(p.blocks) && (b == s.b || p.first[b] < until); b, i = b+1, 0 {
		k := p.blocks[b]
		p.steps++
		if last = b; k.most < nodes {
			continue
		}
		want := nodes - k.add
		for from := i; i < len(k.free); i++ {
			if k.free[i] >= want {
				p.steps += uint64(i - from)
				return Spot{b, i}
			}
		}
	}
	return Spot{last, len(p.blocks[last].at) - 1}
}

// Below returns the first segment from s on that begins before until and has
// fewer nodes free; ok is false where none has.
func (p *Profile) Below(s Spot, nodes int32, until float64) (_ Spot, ok bool) {
	for b, i := s.b, s.i; b < len(p.blocks) && p.first[b] < until; b, i = b+1, 0 {
		k := p.blocks[b]
		p.steps++
		if k.least >= nodes {
			continue
		}
		want := nodes - k.add
		for from := i; i < len(k.free); i++ {
			if k.free[i] < want {
				p.steps += uint64(i - from)
				return Spot{b, i}, k.at[i] < until
			}
		}
	}
	return s, false
}

// Fits returns the first time from from on at which that many nodes, at most all of the cluster,
// are free for the time long.
func (p *Profile) Fits(nodes int32, long, from float64) float64 {
	s := p.Locate(from)
	for {
		s = p.atLeast(s, nodes, math.Inf(1))
		start := max(from, p.At(s))
		short, ok := p.Below(s, nodes, start+long)
		if !ok {
			return start
		}
		s = short
	}
}

// Sooner returns the first time from from on at which what is to begin at start on that many nodes,
// for the time long, could begin if its own reservation were moved there; ok is false where it is
// not before start.
func (p *Profile) Sooner(nodes int32, long, from, start float64) (at float64, ok bool) {
	s := p.Locate(from)
	for {
		s = p.atLeast(s, nodes, start)
		if at = max(from, p.At(s)); !(at < start) || p.Free(s) < nodes {
			return start, false
		}
		// From start on its own nodes are free for it.
		short, found := p.Below(s, nodes, min(at+long, start))
		if !found {
			return at, true
		}
		s = short
	}
}

// Room reports whether that many nodes are free at all times from one on and before another.
func (p *Profile) Room(nodes int32, from, before float64) bool {
	s := p.Locate(from)
	if p.Free(s) < nodes {
		return false
	}
	_, short := p.Below(s, nodes, before)
	return !short
}

// Steps returns how many steps of the simplest kind searches and changes have taken so far: the same
// for the same calls, as a measure of work that no clock disturbs.
func (p *Profile) Steps() uint64 { return p.steps }

// When returns the first time from from on at which that many nodes, at most all of the cluster, are free, and how
// many are then.
func (p *Profile) When(nodes int32, from float64) (at float64, free int32) {
	s := p.atLeast(p.Locate(from), nodes, math.Inf(1))
	return max(from, p.At(s)), p.Free(s)
}
