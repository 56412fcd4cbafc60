package station

import "slices"

// A profile is how many servers are free over time to come: free[i] from times[i]
// on, up to times[i+1] or for ever.
type profile struct {
	times []float64
	free  []int
}

func newProfile(servers int) profile { return profile{times: []float64{0}, free: []int{servers}} }

// trim forgets what lies before now.
func (p *profile) trim(now float64) {
	i := 0
	for i+1 < len(p.times) && p.times[i+1] <= now {
		i++
	}
	p.times, p.free = slices.Delete(p.times, 0, i), slices.Delete(p.free, 0, i)
}

// earliest returns the first time from now on at which width servers are free for
// so long.
func (p *profile) earliest(now float64, width int, long float64) float64 {
	start := now
	for i := range p.times {
		if i+1 < len(p.times) && p.times[i+1] <= start {
			continue
		}
		if p.free[i] < width {
			start = p.times[i+1] // the last is wide enough
			continue
		}
		if i+1 == len(p.times) || p.times[i+1] >= start+long {
			break
		}
	}
	return start
}

// room says whether width servers are free at any time before the given one.
func (p *profile) room(width int, before float64) bool {
	for i, t := range p.times {
		if t >= before {
			return false
		}
		if p.free[i] >= width {
			return true
		}
	}
	return false
}

// at puts a step at a time and returns its index.
func (p *profile) at(t float64) int {
	i, there := slices.BinarySearch(p.times, t)
	if there {
		return i
	}
	if i == 0 {
		p.times[0] = t // before all that is kept: as it is there
		return 0
	}
	p.times = slices.Insert(p.times, i, t)
	p.free = slices.Insert(p.free, i, p.free[i-1])
	return i
}

// take books width servers from one time to another; a width below 0 gives them
// back.
func (p *profile) take(from, to float64, width int) {
	if !(from < to) {
		return
	}
	i, j := p.at(from), p.at(to)
	for k := i; k < j; k++ {
		p.free[k] -= width
	}
	for _, k := range []int{j, i} {
		if k > 0 && p.free[k] == p.free[k-1] {
			p.times, p.free = slices.Delete(p.times, k, k+1), slices.Delete(p.free, k, k+1)
		}
	}
}
