package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/cmdline"
)

// Fields of answers by what their numbers can be. A saturated utilization is
// what is offered to a station, a logarithm is no probability, and more work may be
// done within a window than came in it, that of the warm-up among it.
var (
	inUnitInterval = regexp.MustCompile(`(probability|utilization|availability|service_level|share|congestion|reliability|blocking)$`)
	notNegative    = regexp.MustCompile(`(_s|_length|_erl|_per_s|servers|sources|jobs)$`)
	neither        = regexp.MustCompile(`^(saturated_utilization|log10_.*|goodput_share)$`)
)

// outOfRange names the first number of an answer that cannot be what its field
// says, such as a probability of 1.0000033. Empty where there is none.
func outOfRange(field string, v any) string {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if bad := outOfRange(name, v[name]); bad != "" {
				return bad
			}
		}
	case []any:
		for _, w := range v {
			if bad := outOfRange(field, w); bad != "" {
				return bad
			}
		}
	case float64:
		low := inUnitInterval.MatchString(field) || notNegative.MatchString(field)
		if !neither.MatchString(field) && (low && v < 0 || inUnitInterval.MatchString(field) && v > 1) {
			return fmt.Sprintf("%s = %v", field, v)
		}
	}
	return ""
}

func sortedKeys(m map[string]any) []string {
	var all []string
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func TestOutOfRange(t *testing.T) {
	for text, want := range map[string]string{
		`{"blocking_probability": 1, "wait_probability": 0, "mean_wait_s": 0}`: "",
		`{"a": [{"utilization": 0.5}, {"utilization": 1.0000000000000002}]}`:   "utilization = 1.0000000000000002",
		`{"service_level": -3e-10}`: "service_level = -3e-10",
		`{"public_share": [0, 2]}`:  "public_share = 2",
		`{"mean_wait_s": -1e-300}`:  "mean_wait_s = -1e-300",
		`{"saturated_utilization": 1.24, "log10_all_down_probability": -3}`:       "",
		`{"time_congestion": null, "headroom": -1, "gap": -0.5, "name": "share"}`: "",
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if got := outOfRange("", v); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

var (
	aNumber  = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?`)
	extremes = []string{
		"0", "-1", "5e-324", "1e-300", "1e-12", "0.9999999999999999", "1.0000001", "2.5", "1e4", "1e7", "1e12", "1e15", "1e300", "1e308",
		"2147483648", "9223372036854775807", "18446744073709551616",
	}
	// Flags that say how much work there is: an extreme one is only long.
	amounts = []string{"--samples", "--seeds", "--resamples", "--times", "--machines", "--dispatch", "--over"}
)

// extreme replaces one number of a value and keeps what stands around it, so
// that a unit or a key still belongs to it.
func extreme(rng *rand.Rand, value string) string {
	all := aNumber.FindAllStringIndex(value, -1)
	if len(all) == 0 {
		return value
	}
	at := all[rng.IntN(len(all))]
	return value[:at[0]] + extremes[rng.IntN(len(extremes))] + value[at[1]:]
}

// fuzzedExamples are the examples of the help of every command, so that a new
// command is fuzzed as soon as it has help. Nothing is written: what names a
// file to write is left out, and so are figures that take seconds.
func fuzzedExamples() []string {
	var lines []string
	var walk func(makers []func() *cmdline.Command)
	walk = func(makers []func() *cmdline.Command) {
		for _, m := range makers {
			c := m()
			lines = append(lines, helpExamples(c.Description)...)
			walk(c.Children)
		}
	}
	walk(capplan().Commands)
	var out []string
	for _, line := range lines {
		args := strings.Fields(line)[1:]
		for _, flag := range []string{"--plot", "--out", "--write", "--y"} {
			if i := slices.Index(args, flag); i >= 0 {
				args = slices.Delete(args, i, min(i+2, len(args)))
			}
		}
		switch words := strings.Join(args[:min(2, len(args))], " "); {
		case args[0] == "init" || args[0] == "serve" || args[0] == "reproduce" && words != "reproduce pcu-examples",
			words == "availability record" || words == "allocate study" || words == "availability generate",
			slices.Contains(args, "--prometheus"), // no drawn line reaches a network
			slices.ContainsFunc(args, func(a string) bool { return strings.ContainsAny(a, "'\"|>$") }):
		default:
			out = append(out, strings.Join(args, " "))
		}
	}
	return out
}
