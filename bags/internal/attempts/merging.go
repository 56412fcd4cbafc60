package attempts

import (
	"math"
	"slices"
	"sort"
)

// Sorted returns the times in ascending order.
func Sorted(w Times) Times {
	out := slices.Clone(w)
	sort.Slice(out, func(i, j int) bool { return out[i].Speed < out[j].Speed })
	return out
}

// Merged merges times into at most so many: the means of the parts of [Parted].
func Merged(w Times, most int) Times {
	if len(w) <= most {
		return w
	}
	out := make(Times, 0, most)
	for _, part := range Parted(w, most) {
		share, sum := 0.0, 0.0
		for _, n := range part {
			share += n.Share
			sum += n.Share * n.Speed
		}
		if share > 0 {
			out = append(out, Node{share, sum / share})
		}
	}
	return out
}

// Parted divides times, in ascending order, into at most so many parts that span equal ratios, so
// that the few slow ones stay apart.
func Parted(w Times, most int) []Times {
	w = Sorted(w)
	low, high := w[0].Speed, w[len(w)-1].Speed
	out := make([]Times, 0, most)
	from, k := 0, 0
	end := func() float64 { return low * math.Pow(high/low, float64(k+1)/float64(most)) }
	for i := range w {
		if i < len(w)-1 && w[i+1].Speed <= end() {
			continue
		}
		out = append(out, w[from:i+1])
		from = i + 1
		for i < len(w)-1 && w[i+1].Speed > end() {
			k++
		}
	}
	return out
}
