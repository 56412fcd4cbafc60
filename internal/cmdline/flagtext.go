package cmdline

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// The help of a flag has two columns: its name with the kind of its value, and what the value is:
// --plot FILE  file to draw the answer in.
func init() { cli.FlagStringer = flagText }

// flagText is the two columns of a flag in the help. A tab parts the two columns, which the parser
// aligns.
func flagText(f cli.Flag) string {
	what, usage := partedUsage(f)
	var names []string
	for _, n := range namesOf(f) {
		dashes := "--"
		if len(n) == 1 {
			dashes = "-"
		}
		names = append(names, strings.TrimSpace(dashes+n+" "+what))
	}
	if c, ok := valueOf(f).(*choice); ok && c.String() != "" {
		usage += " (default: " + c.String() + ")"
	}
	return strings.Join(names, ", ") + "\t" + usage
}

// partedUsage parts the usage of a flag into the kind of its value, which stands between backquotes,
// and the explanation. A colon directly after the kind only parts the two; otherwise the kind is a word
// of the explanation and stays in it, in small letters where it begins it. A flag that has a value but
// no backquotes has the kind "value".
func partedUsage(f cli.Flag) (what, usage string) {
	if u, ok := f.(cli.DocGenerationFlag); ok {
		usage = u.GetUsage()
	}
	before, rest, found := strings.Cut(usage, "`")
	if !found {
		if isToggle(f) {
			return "", usage
		}
		return "value", usage
	}
	what, after, _ := strings.Cut(rest, "`")
	if explanation, parted := strings.CutPrefix(after, ":"); before == "" && parted {
		return what, strings.TrimSpace(explanation) // `METHOD`: exact or schweitzer
	}
	if before == "" {
		return what, strings.ToLower(what) + after // `SERVER` that hands out the tasks
	}
	return what, before + what + after
}

// namesOf is the name of a flag and its aliases. Names of the library passes each through a regular
// expression, and each start of the program asks for some thousands.
func namesOf(f cli.Flag) []string {
	if f, ok := f.(*cli.GenericFlag); ok {
		return append([]string{f.Name}, f.Aliases...)
	}
	return f.Names()
}

// valueOf is the value of a flag; nil of no flag, and of --help, which is the parser's own.
func valueOf(f cli.Flag) cli.Generic {
	if g, ok := f.(*cli.GenericFlag); ok {
		return g.Value
	}
	return nil
}

// isToggle reports whether a flag takes no value.
func isToggle(f cli.Flag) bool {
	b, ok := valueOf(f).(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag() || f == cli.HelpFlag
}
