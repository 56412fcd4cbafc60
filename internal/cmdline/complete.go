package cmdline

import (
	"slices"
	"strings"
)

// completions lists the words that may stand in place of the last one, which is
// begun and may be empty. None where a file or a free value is wanted, which the
// shell knows better. words are those behind the program's name.
func (p *Program) completions(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	begun, words := words[len(words)-1], words[:len(words)-1]
	commands, at := p.Commands, (*Command)(nil)
	// The commands on the line decide whose flags are completed.
	for len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		// A word behind "help" is completed as if help were not there.
		if at == nil && words[0] == "help" {
			words = words[1:]
			continue
		}
		next := named(commands, words[0])
		if next == nil {
			break
		}
		at, commands, words = next, next.Children, words[1:]
	}
	// bash parts --flag=value into three words.
	before := ""
	if n := len(words); n > 0 && words[n-1] == "=" {
		words = words[:n-1]
	}
	if n := len(words); n > 0 {
		before = words[n-1]
	}
	// The first switch is of what a flag needs, the second of what may stand next.
	switch {
	case at == nil && len(words) > 0:
		return nil
	case at == nil && strings.HasPrefix(begun, "-"):
		return []string{"--help", "--version"}
	case at == nil:
		return append(names(commands), "help")
	case at.Flags != nil && strings.HasPrefix(begun, "-") && strings.Contains(begun, "="):
		flag, _, _ := strings.Cut(begun, "=")
		values, _ := at.Flags.valuesOf(flag)
		joined := make([]string, len(values))
		for i, v := range values {
			joined[i] = flag + "=" + v
		}
		return joined
	case at.Flags != nil && strings.HasPrefix(before, "-"):
		if values, wanted := at.Flags.valuesOf(before); wanted {
			return values
		}
	}
	switch {
	case at.Flags != nil && strings.HasPrefix(begun, "-"):
		return at.Flags.unusedNames(words)
	case len(commands) > 0 && len(words) == 0:
		return names(commands)
	case at.Complete != nil:
		return at.Complete()
	}
	return nil
}

// named makes the command of a name, nil for none.
func named(commands []func() *Command, name string) *Command {
	for _, m := range commands {
		if c := m(); c.Name == name {
			return c
		}
	}
	return nil
}

// names are the names of commands, in the order of the help.
func names(commands []func() *Command) []string {
	var all []string
	for _, m := range commands {
		all = append(all, m().Name)
	}
	return all
}

// valuesOf are the words that a flag takes. wanted says that word is a whole
// flag that a value follows. The words are those of Known or of a choice; of any other value there
// are none.
func (s *FlagSet) valuesOf(word string) (values []string, wanted bool) {
	f := s.named(strings.TrimLeft(word, "-"))
	if f == nil {
		return nil, false
	}
	if words, ok := s.words[namesOf(f)[0]]; ok {
		return words(), true
	}
	if v, ok := valueOf(f).(*choice); ok {
		return v.allowed, true
	}
	return nil, !isToggle(f)
}

// Known says which words the value of a flag may be, among others: shells complete
// them. Files are completed where none of them fits.
func (s *FlagSet) Known(name string, words func() []string) {
	if s.words == nil {
		s.words = map[string]func() []string{}
	}
	s.words[name] = words
}

// unusedNames are the flags that were not given yet, or may be given again.
func (s *FlagSet) unusedNames(words []string) []string {
	all := []string{"--help"}
	for _, f := range s.list {
		name := "--" + namesOf(f)[0]
		if _, again := valueOf(f).(*list); again || !slices.Contains(words, name) {
			all = append(all, name)
		}
	}
	return all
}
