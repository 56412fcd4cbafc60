package cmdline

import (
	"context"
	"slices"
	"sort"
	"strings"
)

// A word is a flag with its value as it was typed; one that is on or off may have
// none.
type word struct {
	name, value string
	valued      bool
}

func (w word) String() string {
	if w.valued {
		return "--" + w.name + "=" + w.value
	}
	return "--" + w.name
}

// wordsKey is that of the arranged command line in a context.
type wordsKey struct{}

// flagWords returns the flags that were given, each by its first name and those of
// one name in their order: two lines that ask the same have the same.
func (c *Command) flagWords(ctx context.Context) []word {
	line, _ := ctx.Value(wordsKey{}).([]string)
	// The first word is the program, and then come those of the command.
	line = line[min(len(line), 1+len(strings.Fields(c.path))):]
	if end := slices.Index(line, "--"); end >= 0 {
		line = line[:end]
	}
	var words []word
	for i := 0; i < len(line); i++ {
		name, value, valued := strings.Cut(strings.TrimLeft(line[i], "-"), "=")
		f := c.Flags.named(name)
		if f == nil {
			continue
		}
		if !isToggle(f) && !valued && i+1 < len(line) {
			i++
			value, valued = line[i], true
		}
		words = append(words, word{namesOf(f)[0], value, valued})
	}
	// The order of flags of different names means nothing; that of a repeated one may.
	sort.SliceStable(words, func(i, j int) bool { return words[i].name < words[j].name })
	return words
}

// commandLine puts a command line together.
func (c *Command) commandLine(flags []word, files []string) []string {
	line := strings.Fields(c.path)
	for _, w := range flags {
		line = append(line, w.String())
	}
	if len(files) == 0 {
		return line
	}
	return append(append(line, "--"), files...)
}
