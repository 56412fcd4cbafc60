package bags

import (
	"strings"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/bot"
)

// NamedBag returns one of the bags of SpeQuloS table 3.
func NamedBag(name string) (*bags.Bag, bool) {
	for _, b := range bags.Bags() {
		if b.Name == name {
			return &b, true
		}
	}
	return nil, false
}

// BagNames returns their names.
func BagNames() []string {
	var names []string
	for _, b := range bags.Bags() {
		names = append(names, b.Name)
	}
	return names
}

// NamedHosts returns machines like those of a row of SpeQuloS table 2.
func NamedHosts(name string) (*hosts.Platform, bool) {
	for _, t := range hosts.Traces() {
		if t.Name == name {
			p, err := t.Platform()
			return p, err == nil
		}
	}
	return nil, false
}

// HostNames returns their names.
func HostNames() []string {
	var names []string
	for _, t := range hosts.Traces() {
		names = append(names, t.Name)
	}
	return names
}

// ServerNames returns the names of the servers, the default first.
func ServerNames() []string {
	return []string{bot.XWHEP.String(), bot.BOINC.String(), bot.Checkpoint.String()}
}

// server reads the name of a server; an empty one is the default.
func server(name string) (bot.Server, error) {
	for _, s := range []bot.Server{bot.XWHEP, bot.BOINC, bot.Checkpoint} {
		if name == s.String() || name == "" && s == bot.XWHEP {
			return s, nil
		}
	}
	return 0, ask.Inputf("server", "%s", Unknown(name, ServerNames()))
}

// NoStrategy is the name for no help.
const NoStrategy = "none"

// strategy reads the name of a strategy; nil for none.
func strategy(name string) (*spequlos.Strategy, error) {
	if name == "" || name == NoStrategy {
		return nil, nil
	}
	s, err := spequlos.ParseStrategy(name)
	if err != nil {
		return nil, &ask.InputError{Field: "strategy", Reason: err.Error()}
	}
	return &s, nil
}

// Unknown says that a word is not one of the known ones.
func Unknown(word string, known []string) string {
	return "\"" + word + "\" is not one of " + strings.Join(known, ", ") + spell.Suggest(word, known)
}
