package cmdline

import (
	"slices"
	"strings"
)

// manual is the page of the whole program in the language of man(7).
func (p *Program) manual() string {
	var b strings.Builder
	b.WriteString(".nh\n.TH capplan 1\n\n.SH NAME\ncapplan \\- " + p.Usage +
		"\n\n\n.SH SYNOPSIS\ncapplan\n\n\n.SH DESCRIPTION\n")
	for i, paragraph := range strings.Split(p.Description, "\n\n") {
		if i > 0 {
			b.WriteString("\n.PP\n")
		}
		b.WriteString(roff(strings.TrimSpace(paragraph)) + "\n")
	}
	b.WriteString("\n.PP\n\\fBUsage\\fP:\n\n.EX\ncapplan [GLOBAL OPTIONS] command [COMMAND OPTIONS] [ARGUMENTS...]\n.EE\n\n\n" +
		".SH COMMANDS\n")
	for i, c := range p.All() {
		if i > 0 {
			b.WriteString("\n")
		}
		c.manual(&b, ".SH ")
	}
	return b.String()
}

// manual writes the part of a command and of those below it.
func (c *Command) manual(b *strings.Builder, head string) {
	b.WriteString(head + c.Name + "\n" + roff(c.Usage) + "\n")
	flags := slices.Clone(c.Flags.Flags())
	slices.SortFunc(flags, func(a, b *Flag) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range flags {
		b.WriteString("\n.PP\n" + f.manual() + "\n")
	}
	for _, below := range c.Below {
		b.WriteString("\n")
		below.manual(b, ".SS ")
	}
}

// manual is a flag with its value and its usage in one sentence.
func (f *Flag) manual() string {
	usage := roff(f.Usage)
	if before, rest, found := strings.Cut(usage, "`"); found {
		what, after, _ := strings.Cut(rest, "`")
		usage = before + `\fB` + what + `\fR` + after
	}
	return `\fB` + strings.Join(f.dashedNames(), ", ") + `\fP ` + usage + f.preset()
}

// roff escapes a text: a backslash stands for itself, and a line that begins with a
// point or a quote is no request.
func roff(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, `\`, `\\`), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
