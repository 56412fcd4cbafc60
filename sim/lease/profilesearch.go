package lease

// atLeast returns the first segment from s on with that many nodes free. There is
// one, the last, where nodes are not more than the cluster has.
func (p *profile) atLeast(s spot, nodes int32) spot {
	for b, i := s.b, s.i; b < len(p.blocks); b, i = b+1, 0 {
		k := p.blocks[b]
		if k.most < nodes {
			continue
		}
		for want := nodes - k.add; i < len(k.free); i++ {
			if k.free[i] >= want {
				return spot{b, i}
			}
		}
	}
	last := len(p.blocks) - 1
	return spot{last, len(p.blocks[last].at) - 1}
}

// below returns the first segment from s on that begins before until and has
// fewer nodes free; ok is false where none has.
func (p *profile) below(s spot, nodes int32, until float64) (_ spot, ok bool) {
	for b, i := s.b, s.i; b < len(p.blocks) && p.first[b] < until; b, i = b+1, 0 {
		k := p.blocks[b]
		if k.least >= nodes {
			continue
		}
		for want := nodes - k.add; i < len(k.free); i++ {
			if k.free[i] < want {
				return spot{b, i}, k.at[i] < until
			}
		}
	}
	return s, false
}

// fits returns the first time from from on at which that many nodes, not more than
// the cluster has, are free for so long.
func (p *profile) fits(nodes int32, long, from float64) float64 {
	s := p.locate(from)
	for {
		s = p.atLeast(s, nodes)
		start := max(from, p.at(s))
		short, ok := p.below(s, nodes, start+long)
		if !ok {
			return start
		}
		s = short
	}
}
