// Package spell answers: which of these words was meant?
//
// At most half of the letters of the longer word may be wrong (two letters that
// changed places count twice), without regard to
// case and leading dashes; among those that pass, the Jaro-Winkler similarity
// decides. Bibliography: Winkler, String comparator metrics and enhanced
// decision rules, 1990.
package spell

import (
	"fmt"
	"strings"

	"github.com/xrash/smetrics"
)

// Nearest returns the candidate that is most like the word, the first of
// equals, or "" where none is.
func Nearest(word string, candidates []string) string {
	if len(word) > 200 { // no slip of the finger, and long to compare
		return ""
	}
	word = plain(word)
	best, score := "", 0.0
	for _, c := range candidates {
		other := plain(c)
		if 2*smetrics.WagnerFischer(word, other, 1, 1, 1) > max(len(word), len(other)) {
			continue
		}
		if v := smetrics.JaroWinkler(word, other, 0.7, 4); v > score {
			best, score = c, v
		}
	}
	return best
}

func plain(s string) string { return strings.ToLower(strings.TrimLeft(s, "-")) }

// Suggest returns ", did you mean x?" of the nearest candidate, or "".
func Suggest(word string, candidates []string) string {
	if best := Nearest(word, candidates); best != "" {
		return ", did you mean " + best + "?"
	}
	return ""
}

// Aside returns " (did you mean x?)" of the nearest candidate, or "": within a message
// that goes on.
func Aside(word string, candidates []string) string {
	if best := Nearest(word, candidates); best != "" {
		return " (did you mean " + best + "?)"
	}
	return ""
}

// Among returns ", did you mean x?" of the nearest candidate, or ": there are a, b, c" of the first.
func Among(word string, candidates []string) string {
	if near := Suggest(word, candidates); near != "" {
		return near
	}
	return ": there are " + Listed(candidates)
}

// Listed are the first ten words, which are enough to see how they are spelt.
func Listed(words []string) string {
	if len(words) > 10 {
		words = append(words[:10:10], "...")
	}
	return strings.Join(words, ", ")
}

// Quote shows a word in a message as it was typed, in quotes and shortened.
func Quote(word string) string {
	if r := []rune(word); len(r) > 60 {
		word = string(r[:60]) + "..."
	}
	return fmt.Sprintf("%q", word)
}
