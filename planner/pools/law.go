package pools

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim/pool"
	"github.com/capplan/capplan/units"
)

// lawForm says how a law is written.
const lawForm = `a law such as "exponential 92min", "hyperexponential 33% 3min 40% 25min 27% 300min", "weibull 0.7 1h" ` +
	`(shape, mean), "lognormal 0.9 1h" (σ of ln t, mean), "gamma 0.5 1h" (shape, mean), "deterministic 5min", ` +
	`"empirical 1min 5min 2h", or "lublin" for work`

// lawNames are those that an error suggests from.
var lawNames = []string{"deterministic", "empirical", "exponential", "gamma", "hyperexponential", "lognormal", "lublin",
	"weibull"}

// ParseLaw reads a law of times: its name, its shape where it has one, and its
// mean; colons and commas are as good as blanks. A time alone is what otherwise says, "exponential" or "deterministic".
func ParseLaw(text, otherwise string) (pool.Law, error) {
	words := strings.Fields(strings.NewReplacer(",", " ", ":", " ").Replace(text))
	if len(words) == 0 {
		return nil, fmt.Errorf("no law")
	}
	// A time alone is a law of that mean, which the caller names.
	if _, err := units.Parse[units.Duration](words[0]); err == nil {
		words = append([]string{otherwise}, words...)
	}
	name, rest := words[0], words[1:]
	want := map[string]int{"deterministic": 1, "exponential": 1, "weibull": 2, "lognormal": 2, "gamma": 2, "lublin": 0}
	if n, fixed := want[name]; fixed && len(rest) != n {
		return nil, fmt.Errorf("%q is followed by %d words", name, len(rest))
	}
	switch name {
	case "lublin":
		return pool.Lublin(), nil
	case "empirical":
		times, err := durations(rest)
		return pool.Empirical(times), err
	case "hyperexponential":
		return hyperexponential(rest)
	case "deterministic", "exponential", "weibull", "lognormal", "gamma":
	default:
		return nil, fmt.Errorf("%q is not a law%s", name, spell.Suggest(name, lawNames))
	}
	// The mean stands last, after the shape where there is one.
	mean, err := duration(rest[len(rest)-1])
	if err != nil {
		return nil, err
	}
	shape := 1.0
	if len(rest) == 2 {
		v, err := units.Parse[units.Number](rest[0])
		if err != nil || !(v > 0) {
			return nil, fmt.Errorf("%q is not a shape above 0", rest[0])
		}
		shape = float64(v)
	}
	// Scales are found from the mean, which is what people know.
	switch name {
	case "deterministic":
		return pool.Constant(mean), nil
	case "exponential":
		return law.Exponential{Scale: mean}, nil
	case "weibull":
		return law.Weibull{Shape: shape, Scale: mean / math.Gamma(1+1/shape)}, nil
	case "lognormal":
		return law.LogNormal{Mu: math.Log(mean) - shape*shape/2, Sigma: shape}, nil
	}
	return law.Gamma{Shape: shape, Scale: mean / shape}, nil
}

// hyperexponential reads chances and means in turn.
func hyperexponential(words []string) (pool.Law, error) {
	if len(words) == 0 || len(words)%2 != 0 {
		return nil, fmt.Errorf(`"hyperexponential" is followed by %d words, not by chances and means in turn`,
			len(words))
	}
	var m pool.Mixture
	sum := 0.0
	for pair := range slices.Chunk(words, 2) {
		p, err := units.Parse[units.Fraction](pair[0])
		if err != nil {
			return nil, fmt.Errorf("%q is not a chance such as 33%%", pair[0])
		}
		mean, err := duration(pair[1])
		if err != nil {
			return nil, err
		}
		m = append(m, pool.Branch{Chance: float64(p), Law: law.Exponential{Scale: mean}})
		sum += float64(p)
	}
	// Chances that do not add up to 1 are a law with a part left out.
	if math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("its chances add up to %s, not to 100%%", units.FormatFraction(sum, 6))
	}
	return m, nil
}

// durations reads times above 0.
func durations(words []string) ([]float64, error) {
	var out []float64
	for _, w := range words {
		t, err := duration(w)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf(`"empirical" has no times`)
	}
	return out, nil
}

// duration reads a time above 0.
func duration(word string) (float64, error) {
	t, err := units.Parse[units.Duration](word)
	if err != nil || !(t > 0) {
		return 0, fmt.Errorf("%q is not a time above 0 such as 25min", word)
	}
	return float64(t), nil
}
