package cmdline

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/spell"
)

// completionFlag is what a shell adds when it asks for completions.
const completionFlag = "--generate-bash-completion"

// Arrange rewrites a command line so that flags stand before file arguments,
// as the parser wants it, and finds what it would report badly: unknown
// commands and flags, flags without a value or with an empty one, and flags
// given twice. This is the one place that handles flags after arguments; "--" ends the flags.
// args[0] is the name of the program. Errors: *UsageError.
func Arrange(commands []*cli.Command, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	switch {
	// The two flags that programs have everywhere; elsewhere they would be those of a command.
	case len(args) == 2 && (args[1] == "--version" || args[1] == "-V"):
		return []string{args[0], "version"}, nil
	case args[1] == "help" && len(args) > 2 && args[2] == termsName:
		args = slices.Delete(slices.Clone(args), 1, 2)
	}
	// Descend to the command that answers. A flag ends the descent: behind it stands no command.
	var at *cli.Command
	// path is what messages name, as in "capplan queue mg1".
	path, i := []string{}, 1
	for ; i < len(args); i++ {
		if strings.HasPrefix(args[i], "-") && args[i] != "-" {
			break
		}
		next := find(commands, args[i])
		if next == nil {
			// help stands for a command only at the beginning: behind one it may be the name of a
			// file.
			if at == nil && args[i] == "help" || at == nil && args[i] == "h" {
				if i+2 == len(args) && args[i+1] == "help" { // how to ask for help is on the first page
					return args[:i+1], nil
				}
				if err := helpTopic(commands, args[i+1:]); err != nil || i+1 == len(args) {
					return args, err
				}
				return append(append(append([]string{}, args[:i]...), args[i+1:]...), "--help"), nil
			}
			// A command that has others below it and answers itself, as allocate does, takes a word
			// that is none of them for a file.
			if at != nil && at.Action != nil && isFile(args[i], commands) {
				break
			}
			if len(commands) > 0 {
				return nil, &UsageError{strings.Join(path, " "), "unknown command " + spell.Quote(args[i]) +
					suggested(args[i], commandNames(commands), strings.Join(path, " "))}
			}
			break
		}
		at, commands = next, next.Subcommands
		path = append(path, args[i])
	}
	if at == nil || len(at.Subcommands) > 0 && at.Action == nil {
		// Only help can be asked of the program and of a group of commands.
		for _, a := range args[i:] {
			if a != "-h" && a != "--help" {
				return nil, &UsageError{strings.Join(path, " "), "unexpected " + spell.Quote(a) +
					" before a command: flags belong after the command, see capplan help"}
			}
		}
		if len(args) > i+1 {
			return nil, &UsageError{strings.Join(path, " "), "--help is given twice"}
		}
		return args, nil
	}
	flags, files, err := sortArguments(at, strings.Join(path, " "), args[i:])
	if err != nil {
		return nil, err
	}
	for k, f := range files {
		if strings.TrimSpace(f) == "" {
			return nil, &UsageError{strings.Join(path, " "),
				fmt.Sprintf("argument %d is empty: an empty name names no file, want %s", k+1, fileArguments(at))}
		}
	}
	// A file called as a subcommand has to be told by its path.
	if len(files) > 0 && find(at.Subcommands, files[0]) != nil { // the parser would take it for the command
		return nil, &UsageError{strings.Join(path, " "), "unexpected " + spell.Quote(args[i]) + " before " + files[0] +
			": flags belong after the command, and a file of this name is ./" + files[0]}
	}
	// Help is answered whatever else stands on the line, but for files of a command that takes
	// none.
	for _, f := range flags {
		if f == "--help" || f == "--h" {
			if len(files) > 0 && at.ArgsUsage == "" {
				return nil, &UsageError{strings.Join(path, " "), unexpectedFile(strings.Join(path, " "), at.ArgsUsage, files[0], longNames(at.Flags))}
			}
			return append(append([]string{}, args[:i]...), "--help"), nil
		}
	}
	// The "--" keeps the parser from looking for flags among the files, whose names may begin with a
	// dash.
	out := append(append(append([]string{}, args[:i]...), flags...), "--")
	return append(out, files...), nil
}

// suggested says behind an unknown word which of those known may be meant, and where all of them
// are listed. path is that of the command.
func suggested(word string, known []string, path string) string {
	listed := "; capplan help lists all"
	if path != "" {
		listed = "; capplan " + path + " --help lists all"
	}
	if meant := spell.Suggest(word, known); meant != "" {
		return meant + listed[1:]
	}
	return listed
}

// unexpectedFile says what a command takes in place of a word that it does not. A flag without its
// dashes is a slip of the finger; flags are those of the command.
func unexpectedFile(path, takes, word string, flags []string) string {
	text := "unexpected argument " + spell.Quote(word)
	switch {
	case slices.Contains(flags, "--"+word):
		return text + ", did you mean --" + word + "?"
	case takes == "":
		return text + ": capplan " + path + " takes flags alone"
	}
	return text + ", want capplan " + path + " " + takes
}

// longNames are the flags of a command as one types them, without those of one letter.
func longNames(flags []cli.Flag) (names []string) {
	for _, f := range flags {
		for _, n := range namesOf(f) {
			if len(n) > 1 {
				names = append(names, "--"+n)
			}
		}
	}
	return names
}

// isFile decides whether a word is a file argument or a misspelt command, for a command that has
// others below it. A word near the name of a command is taken for that command misspelt, unless
// such a file exists.
func isFile(word string, commands []*cli.Command) bool {
	if spell.Nearest(word, commandNames(commands)) == "" {
		return true
	}
	_, err := os.Stat(word)
	return err == nil
}

// helpTopic checks the words after "help". Errors: *UsageError for a word that is no command.
func helpTopic(commands []*cli.Command, words []string) error {
	for _, w := range words {
		next := find(commands, w)
		if next == nil {
			return &UsageError{"help", "no such command: " + spell.Quote(w) + spell.Suggest(w, commandNames(commands))}
		}
		commands = next.Subcommands
	}
	return nil
}

// sortArguments separates flags and their values from file arguments. path names the command in
// messages. Errors: *UsageError.
func sortArguments(c *cli.Command, path string, args []string) (flags, files []string, err error) {
	known := map[string]cli.Flag{"help": cli.HelpFlag, "h": cli.HelpFlag}
	for _, f := range c.Flags {
		for _, n := range namesOf(f) {
			known[n] = f
		}
	}
	// By flag and not by name, so that --format and -o are one.
	seen := map[cli.Flag]bool{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return flags, append(files, args[i+1:]...), nil
		}
		// A dash alone is the name of standard input.
		if !strings.HasPrefix(a, "-") || a == "-" {
			files = append(files, a)
			continue
		}
		// One dash and two are the same, as package flag has it.
		name, value, valued := strings.Cut(strings.TrimLeft(a, "-"), "=")
		f, ok := known[name]
		if !ok {
			// Commands whose answer is no curve lack the flag; that is no slip of the pen.
			if name == "plot" {
				return nil, nil, &UsageError{path, "--plot: the answer has no curve to draw"}
			}
			return nil, nil, &UsageError{path, "unknown flag " + spell.Quote(a) + suggested("--"+name, longNames(c.Flags), path)}
		}
		repeatable := false
		if r, ok := valueOf(f).(interface{ Repeatable() bool }); ok {
			repeatable = r.Repeatable()
		}
		if seen[f] && !repeatable {
			return nil, nil, &UsageError{path, "--" + namesOf(f)[0] + " is given twice"}
		}
		seen[f] = true
		if isToggle(f) {
			on, err := toggled(value, valued)
			if err != nil {
				return nil, nil, &UsageError{path, "--" + namesOf(f)[0] + ": " + err.Error()}
			}
			// One that is off is the same as one that is not given, and --help=true the same as --help.
			if on {
				flags = append(flags, "--"+name)
			}
			continue
		}
		flags = append(flags, a)
		if !valued {
			// A value may begin with a dash, as a negative number does; what is a known flag is none.
			if i+1 == len(args) || isFlag(args[i+1], known) {
				return nil, nil, &UsageError{path, "--" + namesOf(f)[0] + " needs a value" + wanted(f)}
			}
			i++
			value = args[i]
			flags = append(flags, value)
		}
		// A script's variable that is not set must not change the question, as
		// it would where an empty value were taken for none.
		if strings.TrimSpace(value) == "" {
			return nil, nil, &UsageError{path, "--" + namesOf(f)[0] + ": it is empty" +
				strings.Replace(wanted(f), ": want", ", want", 1) + "; leave the flag out to go without it"}
		}
	}
	return flags, files, nil
}

// toggled reads what stands behind the = of a flag that is on or off; a flag without = is on.
func toggled(value string, valued bool) (on bool, err error) {
	if !valued {
		return true, nil
	}
	if on, err = strconv.ParseBool(value); err == nil {
		return on, nil
	}
	if strings.TrimSpace(value) == "" {
		return false, errors.New("it is empty; leave the flag out to go without it")
	}
	return false, fmt.Errorf("%s is neither true nor false; the flag alone is true", spell.Quote(value))
}

// isFlag reports whether a is one of the known flags, and so no value.
func isFlag(a string, known map[string]cli.Flag) bool {
	if !strings.HasPrefix(a, "--") {
		return false
	}
	name, _, _ := strings.Cut(a[2:], "=")
	_, ok := known[name]
	return ok
}

// wanted describes the value of a flag if its type can; empty for text, which may be anything.
func wanted(f cli.Flag) string {
	if w, ok := valueOf(f).(interface{ Want() string }); ok {
		return ": want " + w.Want()
	}
	return ""
}

// fileArguments says what a command takes beside its flags.
func fileArguments(c *cli.Command) string {
	if c.ArgsUsage == "" {
		return "none"
	}
	return c.ArgsUsage
}

// find returns the command of a name or an alias, nil for none.
func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

func commandNames(commands []*cli.Command) []string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}
