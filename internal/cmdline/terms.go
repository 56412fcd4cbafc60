package cmdline

import (
	"context"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/spell"
)

// termsName is the command's name, which help takes as a topic too.
const termsName = "terms"

// A Term is a word of the field that help and answers use. Name may be several words, parted by
// commas; Text is what is printed, the name and lines that are set in with what it means.
type Term struct{ Name, Text string }

// ParseTerms reads terms as they are printed: each begins with a line that is not set in, its name.
func ParseTerms(text string) []Term {
	var all []Term
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, " ") {
			all = append(all, Term{Name: strings.TrimSpace(line)})
		}
		all[len(all)-1].Text += line
	}
	return all
}

// explains reports whether a word is one of a term, or the part of one before a
// slash or a hyphen, as the GI of GI/G/c. Case does not matter.
func (t Term) explains(word string) bool {
	return slices.ContainsFunc(strings.Split(t.Name, ", "), func(n string) bool {
		first := n
		if i := strings.IndexAny(n, "/-"); i > 0 {
			first = n[:i]
		}
		return strings.EqualFold(n, word) || strings.EqualFold(first, word)
	})
}

// Explained are the words of messages and help that lead to the terms.
func Explained() []string { return slices.Clone(explained) }

// TermsCommand explains the words of the field.
func TermsCommand(terms []Term) *Command {
	var all []string
	for _, t := range terms {
		all = append(all, strings.Split(t.Name, ", ")...)
	}
	return &Command{
		Name: termsName, Usage: "what the words of the field mean: erlang, SCV, MOL, S1, ...", Args: "[WORD ...]",
		MaxArgs: len(all), Flags: PlainFlags(),
		Description: "Also as capplan help terms.\n\n  $ capplan terms\n  $ capplan terms erlang SCV",
		Complete:    func() []string { return all },
		Ask: func(_ context.Context, _ *Streams, args []string) (*Result, error) {
			shown := terms
			if len(args) > 0 {
				shown = nil
			}
			for _, word := range args {
				at := slices.IndexFunc(terms, func(t Term) bool { return t.explains(word) })
				if at < 0 {
					return nil, &UsageError{Reason: "no term " + spell.Quote(word) + spell.Suggest(word, all) +
						"; capplan help terms lists all"}
				}
				if !slices.Contains(shown, terms[at]) {
					shown = append(shown, terms[at])
				}
			}
			var b strings.Builder
			for _, t := range shown {
				b.WriteString(t.Text)
			}
			return &Result{Raw: b.String()}, nil
		},
	}
}

// explained are words that the terms explain, sorted: those that nobody knows who
// does not work in the field. A test holds that they are all there.
var explained = []string{
	"AIC", "AWRT", "BOINC", "FCFS", "GI", "InterGrid", "KS", "LP", "MIPS", "MLBA", "MOL", "MRPA", "MTBF", "MTTF",
	"MTTR", "PAP", "PCU", "QoS", "S1", "S2", "S3", "S4", "S5", "SCV", "SE", "SIPP", "SJF", "SMP", "SRPT", "SpeQuloS",
	"XWHEP", "erlang", "iShare", "peakedness",
}

// wordsOf names those of a command's help, with where they are explained. It is empty
// where the help has none of them. Each run of the program asks it of the command that it answers.
func wordsOf(c *Command) string {
	if c.Name == termsName {
		return ""
	}
	texts := []string{c.Usage, c.Description}
	if c.Flags != nil {
		for _, f := range c.Flags.list {
			_, usage := partedUsage(f)
			texts = append(texts, usage)
		}
	}
	found := termsIn(texts...)
	if len(found) == 0 {
		return ""
	}
	return "\n\nWhat words mean: capplan help terms (" + strings.Join(found, ", ") + ")."
}
