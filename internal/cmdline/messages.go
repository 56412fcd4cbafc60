package cmdline

import (
	"fmt"
	"slices"
	"strings"
)

// warn prints warnings beside an answer. Similar ones are printed once; see counted.
func (s *Streams) warn(warnings []string) {
	for _, w := range counted(warnings) {
		fmt.Fprintln(s.Err, "warning:", Printable(w))
		s.said = append(s.said, w)
	}
}

// sayTerms leads from the words of the field in what was said to where they are
// explained, once behind all messages: whoever meets MOL in a warning should not
// have to guess.
func (s *Streams) sayTerms() {
	found := termsIn(s.said...)
	// It stands in every second message, and is the unit that the user gave.
	found = slices.DeleteFunc(found, func(word string) bool { return word == "erlang" })
	if len(found) > 0 {
		fmt.Fprintln(s.Err, "what words mean: capplan terms", strings.Join(found, " "))
	}
}

// termsIn are the words of texts that are explained in one place, in the order of
// the alphabet. A word is a run of letters, digits and underscores.
func termsIn(texts ...string) []string {
	seen := make([]bool, len(explained))
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) {
			switch word {
			case "erlangs":
				word = "erlang"
			case "SCVs":
				word = "SCV"
			}
			if at, ok := slices.BinarySearch(explained, word); ok {
				seen[at] = true
			}
		}
	}
	var found []string
	for i, word := range explained {
		if seen[i] {
			found = append(found, word)
		}
	}
	return found
}
