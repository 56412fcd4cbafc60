package cmdline

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/spell"
)

const termsName = "terms"

// A Term is a word of the field that help and answers use.
type Term struct{ Name, Meaning string }

// TermsCommand explains the words of the field.
func TermsCommand(terms []Term) *Command {
	var all []string
	for _, t := range terms {
		all = append(all, strings.Split(t.Name, ", ")...)
	}
	return &Command{
		Name: termsName, Usage: "what the words of the field mean: erlang, SCV, MOL, S1, ...", Args: "[WORD]", MaxArgs: 1, Flags: PlainFlags(),
		Description: "Also as capplan help terms.\n\n  $ capplan terms\n  $ capplan terms erlang",
		Complete:    func() []string { return all },
		Ask: func(_ context.Context, _ *Streams, args []string) (*Result, error) {
			shown := terms
			if len(args) == 1 {
				at := slices.IndexFunc(terms, func(t Term) bool {
					return slices.ContainsFunc(strings.Split(t.Name, ", "), func(n string) bool { return strings.EqualFold(n, args[0]) })
				})
				if at < 0 {
					return nil, &UsageError{Reason: "no term " + spell.Quote(args[0]) + spell.Suggest(args[0], all) + "; capplan help terms lists all"}
				}
				shown = terms[at : at+1]
			}
			var b strings.Builder
			for _, t := range shown {
				b.WriteString(t.Name + "\n")
				for _, line := range wrapped(t.Meaning, 74) {
					b.WriteString("    " + line + "\n")
				}
			}
			return &Result{Raw: b.String()}, nil
		},
	}
}

// explained are words that help explains in one place.
var explained = regexp.MustCompile(`\b(erlangs?|SCV|MOL|SIPP|MRPA|MLBA|PCU|PAP|MTTF|MTTR|SMP|S[1-5]|SpeQuloS)\b`)

// wordsOf names those of a command's help, with where they are explained.
func wordsOf(c *Command) string {
	text := c.Usage + " " + c.Description
	if c.Flags != nil {
		for _, f := range c.Flags.list {
			_, usage := partedUsage(f)
			text += " " + usage
		}
	}
	found := explained.FindAllString(text, -1)
	if len(found) == 0 || c.Name == termsName {
		return ""
	}
	for i := range found {
		found[i] = strings.Replace(found[i], "erlangs", "erlang", 1)
	}
	slices.Sort(found)
	return "\n\nWhat words mean: capplan help terms (" + strings.Join(slices.Compact(found), ", ") + ")."
}

// wrapped breaks a text into lines.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + w)
	}
	return append(lines, line)
}
