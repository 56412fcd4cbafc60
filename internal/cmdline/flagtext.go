package cmdline

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// What help says of a flag: its name with the kind of its value, then a
// sentence that goes on from there: --plot FILE, to draw the answer in.
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

// partedUsage parts the usage of a flag, in which the kind of its value stands
// between backquotes, into the kind and the rest; the colon after a kind that is
// explained goes. A kind within the sentence stays there too. A flag without backquotes and with a
// value has the word value.
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
	if strings.TrimSpace(before) == "" {
		return what, strings.TrimLeft(after, ": ") // `METHOD`: exact or schweitzer
	}
	return what, before + what + after
}

// namesOf is the name of a flag and its aliases. Names of the library passes each through a regular
// expression, and each start of the program asks for some thousands.
func namesOf(f cli.Flag) []string {
	switch f := f.(type) {
	case *cli.GenericFlag:
		return append([]string{f.Name}, f.Aliases...)
	case *cli.StringFlag:
		return append([]string{f.Name}, f.Aliases...)
	case *cli.BoolFlag:
		return append([]string{f.Name}, f.Aliases...)
	}
	return f.Names()
}

// valueOf is the value of a flag, nil of one that is a plain text or a toggle.
func valueOf(f cli.Flag) cli.Generic {
	if g, ok := f.(*cli.GenericFlag); ok {
		return g.Value
	}
	return nil
}

func isToggle(f cli.Flag) bool {
	_, ok := f.(*cli.BoolFlag)
	return ok
}
