package cmdline

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

var helpFlag = &Flag{Name: "help", Aliases: []string{"h"}, Usage: "show help", Value: &toggle{new(bool)}, Toggle: true}

// A helpText is the help of the program or of a command: its parts under their heads.
type helpText struct{ strings.Builder }

func (h *helpText) part(head, text string) {
	if h.Len() > 0 {
		h.WriteString("\n")
	}
	h.WriteString(head + ":\n")
	for line := range strings.Lines(text) {
		if line != "\n" {
			h.WriteString("   ")
		}
		h.WriteString(line)
	}
	if !strings.HasSuffix(text, "\n") {
		h.WriteString("\n")
	}
}

// options are the flags of a command, in columns that are set by write.
func (h *helpText) options(head string, flags []*Flag) {
	var lines strings.Builder
	for _, f := range append(flags[:len(flags):len(flags)], helpFlag) {
		lines.WriteString(flagText(f) + "\n")
	}
	h.part(head, lines.String())
}

// commands are names and usages, in columns.
func (h *helpText) commands(rows [][2]string) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r[0]))
	}
	var lines strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&lines, "%-*s  %s\n", width, r[0], r[1])
	}
	h.part("COMMANDS", lines.String())
}

func (h *helpText) write(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 1, 8, 2, ' ', 0)
	if _, err := io.WriteString(columns, h.String()); err != nil {
		return err
	}
	return columns.Flush()
}

// usages are the names of commands with what each is for.
func usages(commands []*Command) (rows [][2]string) {
	for _, c := range commands {
		rows = append(rows, [2]string{c.Name, c.Usage})
	}
	return rows
}

// help writes what stands under capplan help.
func (p *Program) help(w io.Writer, all []*Command) error {
	var h helpText
	h.part("NAME", "capplan - "+p.Usage)
	h.part("USAGE", "capplan [global options] command [command options]")
	h.part("DESCRIPTION", p.Description)
	h.commands(append(usages(all), [2]string{"help, h", "Shows a list of commands or help for one command"}))
	h.options("GLOBAL OPTIONS", nil)
	return h.write(w)
}

// help writes what stands under capplan help COMMAND.
func (c *Command) help(w io.Writer) error {
	var h helpText
	h.part("NAME", "capplan "+c.path+" - "+c.Usage)
	h.part("USAGE", strings.TrimSpace("capplan "+c.path+" [command options] "+c.Args))
	h.part("DESCRIPTION", c.Description+wordsOf(c))
	if len(c.Below) > 0 {
		h.commands(usages(c.Below))
	}
	h.options("OPTIONS", c.Flags.Flags())
	return h.write(w)
}
