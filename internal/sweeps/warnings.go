package sweeps

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
)

var anyNumber = regexp.MustCompile(`[-+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?`)

// Warnings are what the points of a sweep warn of. Those alike but for
// their numbers are kept and said once, in the words of the first point. The zero value is ready to
// use, by several points at once.
type Warnings struct {
	mu sync.Mutex
	by map[string]*pointWarning
}

type pointWarning struct {
	first, order int // the point, and the place among its warnings
	text         string
	points       int
}

// Add takes the warnings of a point; points may come in any order. Of those alike the one of the
// least point gives the words, so that the order of computing does not show.
func (p *Warnings) Add(point int, warnings []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil {
		p.by = map[string]*pointWarning{}
	}
	for order, text := range warnings {
		alike := anyNumber.ReplaceAllString(text, "#")
		w := p.by[alike]
		if w == nil {
			// One more than this point, so that the comparison below takes it.
			w = &pointWarning{first: point + 1}
			p.by[alike] = w
		}
		w.points++
		if point < w.first {
			w.first, w.order, w.text = point, order, text
		}
	}
}

// Texts returns them in the order of their first points, whatever the order in
// which the points were computed.
func (p *Warnings) Texts() []string {
	all := slices.SortedFunc(maps.Values(p.by), func(a, b *pointWarning) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.order, b.order))
	})
	var out []string
	for _, w := range all {
		text := w.text
		if w.points > 1 {
			text += fmt.Sprintf(" (the first of %d points with this warning)", w.points)
		}
		out = append(out, text)
	}
	return out
}
