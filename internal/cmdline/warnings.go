package cmdline

import (
	"fmt"
	"regexp"
)

// shownWarnings is how many warnings of one kind are shown.
const shownWarnings = 3

// varying matches what may differ between warnings of one kind: numbers and names, among them the
// name of a machine before a colon.
var varying = regexp.MustCompile(`^[^ :]+: |"[^"]*"|[-+]?[0-9][0-9.,:]*(e[-+]?[0-9]+)?`)

// counted keeps of warnings that are alike but for numbers and names the first
// few, and says how many more there are. JSON holds them all.
func counted(all []string) []string {
	kind := func(text string) string { return varying.ReplaceAllString(text, "#") }
	of, seen := map[string]int{}, map[string]int{}
	for _, text := range all {
		of[kind(text)]++
	}
	var out []string
	for _, text := range all {
		k := kind(text)
		seen[k]++
		switch more := of[k] - shownWarnings; {
		case seen[k] < shownWarnings, seen[k] == shownWarnings && more <= 0:
			out = append(out, text)
		case seen[k] == shownWarnings:
			out = append(out, text, fmt.Sprintf("and %d more of this kind, see --format json", more))
		}
	}
	return out
}
