package cmdline

import "strings"

// flagText is the two columns of a flag in the help: its name with the kind of its
// value, then a sentence that goes on from there: --plot FILE, to draw the answer in.
func flagText(f *Flag) string {
	what, usage := partedUsage(f)
	var names []string
	for _, n := range f.dashedNames() {
		names = append(names, strings.TrimSpace(n+" "+what))
	}
	return strings.Join(names, ", ") + "\t" + usage + f.preset()
}

// dashedNames are the names as they are typed.
func (f *Flag) dashedNames() (names []string) {
	for _, n := range f.Names() {
		if len(n) == 1 {
			names = append(names, "-"+n)
		} else {
			names = append(names, "--"+n)
		}
	}
	return names
}

// preset says which of some words holds where the flag is not given.
func (f *Flag) preset() string {
	if c, ok := f.Value.(*choice); ok && c.String() != "" {
		return " (default: " + c.String() + ")"
	}
	return ""
}

// partedUsage parts the usage of a flag, in which the kind of its value stands
// between backquotes, into the kind and the rest; the colon after a kind that is
// explained goes. A kind within the sentence stays there too.
func partedUsage(f *Flag) (what, usage string) {
	before, rest, found := strings.Cut(f.Usage, "`")
	if !found {
		if f.Toggle {
			return "", f.Usage
		}
		return "value", f.Usage
	}
	what, after, _ := strings.Cut(rest, "`")
	if strings.TrimSpace(before) == "" {
		return what, strings.TrimLeft(after, ": ") // `METHOD`: exact or schweitzer
	}
	return what, before + what + after
}
