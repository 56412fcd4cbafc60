package fault

import "fmt"

// Part prints which part is meant: by name, or by number where it has none.
func Part(part, name string, index int) string {
	if name == "" {
		return fmt.Sprintf("%s %d", part, index+1)
	}
	return fmt.Sprintf("%s %q", part, name)
}
