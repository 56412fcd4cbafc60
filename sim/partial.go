package sim

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/capplan/capplan/internal/pieces"
)

// A partial is what a replication leaves for the fold: what is needed for means
// and intervals, and no values.
type partial struct {
	events  uint64
	values  []float64 // by figure, NaN where undefined
	moments []pairs
	parts   [][]*packed // of quantiles, as they were cut
}

// partial closes a replication.
func (r *Replication) partial() *partial {
	p := &partial{
		events:  r.Events,
		values:  make([]float64, len(r.figures)),
		moments: r.moments,
		parts:   make([][]*packed, len(r.figures)),
	}
	for i := range r.figures {
		p.values[i] = r.value(i)
		p.parts[i] = r.parts[i].all()
	}
	return p
}

// form writes partials as a list of numbers and reads them back, to the bit:
//
//	events, and for each figure: value, n, (x̄, ȳ, Sxx, Sxy, Syy where n > 0),
//	parts, and for each part: bins, (steps from the bin before, count) of each
//
// What JSON has no number for is quoted: "NaN".
func (f *fold) form() pieces.Form[*partial] {
	return pieces.Form[*partial]{
		Write: func(to []byte, _ int, p *partial, _ pieces.Words) ([]byte, error) { return p.write(to), nil },
		Read: func(_ int, text []byte, _ pieces.Said) (*partial, error) {
			return readPartial(text, len(f.figures))
		},
	}
}

func (p *partial) write(to []byte) []byte {
	to = strconv.AppendUint(append(to, '['), p.events, 10)
	for i, v := range p.values {
		m := p.moments[i]
		to = appendNumber(appendNumber(to, v), m.n)
		if m.n > 0 {
			for _, x := range []float64{m.x, m.y, m.sxx, m.sxy, m.syy} {
				to = appendNumber(to, x)
			}
		}
		to = appendCount(to, uint64(len(p.parts[i])))
		for _, h := range p.parts[i] {
			to = h.histogram().write(to)
		}
	}
	return append(to, ']')
}

func appendCount(to []byte, n uint64) []byte { return strconv.AppendUint(append(to, ','), n, 10) }

func appendNumber(to []byte, x float64) []byte {
	to = append(to, ',')
	if finite(x) {
		return strconv.AppendFloat(to, x, 'g', -1, 64)
	}
	return append(strconv.AppendFloat(append(to, '"'), x, 'g', -1, 64), '"')
}

// write appends the bins that hold something.
func (h *histogram) write(to []byte) []byte {
	bins, last := uint64(0), 0
	var list []byte
	for _, at := range slices.Sorted(maps.Keys(h.pages)) {
		for i, c := range h.pages[at] {
			if c > 0 {
				b := at<<mantissa | i
				list = appendCount(appendCount(list, uint64(b-last)), c)
				bins, last = bins+1, b
			}
		}
	}
	return append(appendCount(to, bins), list...)
}

var errPartial = errors.New("sim: this is not what a replication of the same figures leaves")

// numbers are a list that is read from its front; the first fault stays.
type numbers struct {
	rest []byte
	bad  bool
}

// next cuts off one number as text.
func (n *numbers) next() string {
	if n.rest == nil {
		n.bad = true
		return ""
	}
	word, rest, more := bytes.Cut(n.rest, []byte(","))
	if n.rest = rest; !more {
		n.rest = nil
	}
	return string(word)
}

func (n *numbers) count() uint64 {
	v, err := strconv.ParseUint(n.next(), 10, 64)
	n.bad = n.bad || err != nil
	return v
}

func (n *numbers) float() float64 {
	word := n.next()
	if k := len(word); k > 1 && word[0] == '"' && word[k-1] == '"' {
		word = word[1 : k-1]
	}
	v, err := strconv.ParseFloat(word, 64)
	n.bad = n.bad || err != nil
	return v
}

func readPartial(text []byte, figures int) (*partial, error) {
	k := len(text)
	if k < 2 || text[0] != '[' || text[k-1] != ']' {
		return nil, errPartial
	}
	n := &numbers{rest: text[1 : k-1]}
	p := &partial{
		events:  n.count(),
		values:  make([]float64, figures),
		moments: make([]pairs, figures),
		parts:   make([][]*packed, figures),
	}
	for i := range figures {
		p.values[i] = n.float()
		m := &p.moments[i]
		if m.n = n.float(); m.n > 0 {
			for _, x := range []*float64{&m.x, &m.y, &m.sxx, &m.sxy, &m.syy} {
				*x = n.float()
			}
		}
		parts := n.count()
		for j := uint64(0); j < parts && !n.bad; j++ {
			p.parts[i] = append(p.parts[i], n.histogram().pack())
		}
	}
	if n.bad || n.rest != nil {
		return nil, errPartial
	}
	return p, nil
}

func (n *numbers) histogram() *histogram {
	h := &histogram{}
	bins := n.count()
	last := uint64(0)
	for j := uint64(0); j < bins && !n.bad; j++ {
		last += n.count()
		c := n.count()
		if last >= 1<<(12+mantissa) {
			n.bad = true // there is no such bin
			break
		}
		h.page(int(last >> mantissa))[last&(1<<mantissa-1)] += c
		h.n += c
	}
	return h
}
