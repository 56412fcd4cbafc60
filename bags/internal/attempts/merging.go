package attempts

import (
	"math"
	"slices"
	"sort"
)

// Sorted are times from the shortest on.
func Sorted(w Times) Times {
	out := slices.Clone(w)
	sort.Slice(out, func(i, j int) bool { return out[i].Speed < out[j].Speed })
	return out
}

// Merged takes times together to at most so many, by order, with equal spans of
// their logarithm, so that the few slow ones stay apart.
func Merged(w Times, most int) Times {
	if len(w) <= most {
		return w
	}
	w = Sorted(w)
	low, high := w[0].Speed, w[len(w)-1].Speed
	out := make(Times, 0, most)
	k, share, sum := 0, 0.0, 0.0
	for i, n := range w {
		share += n.Share
		sum += n.Share * n.Speed
		end := low * math.Pow(high/low, float64(k+1)/float64(most))
		if i == len(w)-1 || w[i+1].Speed > end {
			if share > 0 {
				out = append(out, Node{share, sum / share})
			}
			share, sum = 0, 0
			for i < len(w)-1 && w[i+1].Speed > low*math.Pow(high/low, float64(k+1)/float64(most)) {
				k++
			}
		}
	}
	return out
}
