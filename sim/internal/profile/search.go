package profile

// atLeast returns the first segment from s on with that many nodes free. There is
// one, the last, where nodes are not more than the cluster has.
func (p *Profile) atLeast(s Spot, nodes int32) Spot {
	for b, i := s.b, s.i; b < len(p.blocks); b, i = b+1, 0 {
		k := p.blocks[b]
		if k.most < nodes {
			continue
		}
		for want := nodes - k.add; i < len(k.free); i++ {
			if k.free[i] >= want {
				return Spot{b, i}
			}
		}
	}
	last := len(p.blocks) - 1
	return Spot{last, len(p.blocks[last].at) - 1}
}

// Below returns the first segment from s on that begins before until and has
// fewer nodes free; ok is false where none has.
func (p *Profile) Below(s Spot, nodes int32, until float64) (_ Spot, ok bool) {
	for b, i := s.b, s.i; b < len(p.blocks) && p.first[b] < until; b, i = b+1, 0 {
		k := p.blocks[b]
		if k.least >= nodes {
			continue
		}
		for want := nodes - k.add; i < len(k.free); i++ {
			if k.free[i] < want {
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
		s = p.atLeast(s, nodes)
		start := max(from, p.At(s))
		short, ok := p.Below(s, nodes, start+long)
		if !ok {
			return start
		}
		s = short
	}
}

// Room reports whether that many nodes are free at all times from one on and before another.
func (p *Profile) Room(nodes int32, from, before float64) bool {
	s := p.atLeast(p.Locate(from), nodes)
	return p.Free(s) >= nodes && max(from, p.At(s)) < before
}
