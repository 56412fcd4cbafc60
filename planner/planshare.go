package planner

import "github.com/capplan/capplan/internal/cover"

// shared reports whether a mix keeps to the share that may be public, at the most
// likely figures.
func (p *planning) shared(base []cover.Item, counts []int64) bool {
	return p.crossing.Shares(base, counts)
}
