package cmdline

import (
	"context"
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
		Name:        termsName,
		Usage:       "what the words of the field mean: erlang, SCV, MOL, S1, ...",
		Args:        "[WORD]",
		MaxArgs:     1,
		Flags:       PlainFlags(),
		Description: "Also as capplan help terms.\n\n  $ capplan terms\n  $ capplan terms erlang",
		Complete:    func() []string { return all },
		Ask: func(_ context.Context, _ *Streams, args []string) (*Result, error) {
			shown := terms
			if len(args) == 1 {
				at := slices.IndexFunc(terms, func(t Term) bool {
					return slices.ContainsFunc(strings.Split(t.Name, ", "),
						func(n string) bool { return strings.EqualFold(n, args[0]) })
				})
				if at < 0 {
					return nil, &UsageError{Reason: "no term " + spell.Quote(args[0]) + spell.Suggest(args[0],
						all) + "; capplan help terms lists all"}
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
var explained = []string{
	"MLBA", "MOL", "MRPA", "MTTF", "MTTR", "PAP", "PCU", "S1", "S2", "S3", "S4", "S5", "SCV", "SIPP", "SMP", "SpeQuloS",
	"erlang",
}

// wordsOf names those of a command's help, with where they are explained. Each run
// of the program asks it of all commands, which is why the words are looked up.
func wordsOf(c *Command) string {
	if c.Name == termsName {
		return ""
	}
	seen := make([]bool, len(explained))
	look := func(text string) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) {
			if word == "erlangs" {
				word = "erlang"
			}
			if at, ok := slices.BinarySearch(explained, word); ok {
				seen[at] = true
			}
		}
	}
	look(c.Usage)
	look(c.Description)
	if c.Flags != nil {
		for _, f := range c.Flags.list {
			_, usage := partedUsage(f)
			look(usage)
		}
	}
	var found []string
	for i, word := range explained {
		if seen[i] {
			found = append(found, word)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "\n\nWhat words mean: capplan help terms (" + strings.Join(found, ", ") + ")."
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
