package sim

import (
	"encoding/binary"
	"maps"
	"slices"
)

// packed is a histogram that is complete. Its counts stand in as few bytes as the
// greatest of an octave takes, from the first bin that holds something to the
// last: most take one byte, an eighth of what counting takes.
type packed struct {
	pages []packedPage
	n     uint64
}

type packedPage struct {
	at    int // as in histogram.pages
	first int // the bin that data begins with
	width int // bytes of a count: 1, 2, 4 or 8
	data  []byte
}

// pack returns the histogram as it is now, nil for none.
func (h *histogram) pack() *packed {
	if h == nil {
		return nil
	}
	p := &packed{n: h.n}
	for _, at := range slices.Sorted(maps.Keys(h.pages)) {
		counts := h.pages[at][:]
		first, last, most := -1, 0, uint64(0)
		for i, c := range counts {
			if c > 0 {
				if first < 0 {
					first = i
				}
				last, most = i, max(most, c)
			}
		}
		if first < 0 {
			continue
		}
		g := packedPage{at: at, first: first, width: 8}
		switch {
		case most < 1<<8:
			g.width = 1
		case most < 1<<16:
			g.width = 2
		case most < 1<<32:
			g.width = 4
		}
		g.data = make([]byte, 0, (last+1-first)*g.width)
		for _, c := range counts[first : last+1] {
			var word [8]byte
			binary.LittleEndian.PutUint64(word[:], c)
			g.data = append(g.data, word[:g.width]...)
		}
		p.pages = append(p.pages, g)
	}
	return p
}

// joinPacked adds the counts of p.
func (h *histogram) joinPacked(p *packed) {
	for _, g := range p.pages {
		to := h.page(g.at)[g.first:]
		switch g.width {
		case 1:
			for i, c := range g.data {
				to[i] += uint64(c)
			}
		default:
			var word [8]byte
			for i := range len(g.data) / g.width {
				copy(word[:], g.data[i*g.width:(i+1)*g.width])
				to[i] += binary.LittleEndian.Uint64(word[:])
			}
		}
	}
	h.n += p.n
}

// histogram returns the counts to count on with.
func (p *packed) histogram() *histogram {
	h := new(histogram)
	h.joinPacked(p)
	return h
}
