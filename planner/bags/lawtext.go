package bags

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/units"
)

// LawForm describes how a law of times is written.
const LawForm = "a mean such as 5min (exponential), weibull:SHAPE,MEAN, gamma:SHAPE,MEAN, lognormal:SIGMA,MEAN or quartiles:T,T,T"

// ParseLaw reads a law of times. A duration is the mean of an exponential law. weibull, gamma and
// lognormal have a shape (σ of ln t for lognormal) and a mean. quartiles are those of a published
// table, with the tails of [hosts.FromQuartiles], cut at 30 days.
func ParseLaw(text string) (law.Law, error) {
	kind, rest, ok := strings.Cut(strings.TrimSpace(text), ":")
	if !ok {
		mean, err := lawTime(kind)
		if err != nil {
			return nil, err
		}
		return law.Exponential{Scale: mean}, nil
	}
	parts := strings.Split(rest, ",")
	if kind == "quartiles" {
		return quartilesLaw(parts)
	}
	names := []string{"weibull", "gamma", "lognormal", "quartiles"}
	if kind != "weibull" && kind != "gamma" && kind != "lognormal" {
		return nil, fmt.Errorf("%q is not a law, want %s%s", kind, LawForm, spell.Suggest(kind, names))
	}
	if len(parts) != 2 {
		return nil, fmt.Errorf("%q: want two numbers, as in %s:0.7,5h", text, kind)
	}
	shape, err := units.Parse[units.Number](strings.TrimSpace(parts[0]))
	if err != nil {
		return nil, fmt.Errorf("%q: %s", text, plainly(err))
	}
	if !(shape >= 0.1 && shape <= 100) {
		return nil, fmt.Errorf("%q: the shape is %v, want 0.1 to 100", text, shape)
	}
	mean, err := lawTime(parts[1])
	if err != nil {
		return nil, err
	}
	k := float64(shape)
	switch kind {
	case "weibull":
		// The mean of a Weibull law is scale·Γ(1 + 1/shape).
		lg, _ := math.Lgamma(1 + 1/k)
		return law.Weibull{Shape: k, Scale: mean * math.Exp(-lg)}, nil
	case "gamma":
		return law.Gamma{Shape: k, Scale: mean / k}, nil
	}
	if k > 5 {
		return nil, fmt.Errorf("%q: σ is %v, want 0.1 to 5", text, shape)
	}
	// The mean of a lognormal law is e^(μ + σ²/2).
	return law.LogNormal{Mu: math.Log(mean) - k*k/2, Sigma: k}, nil
}

// quartilesLaw reads a law from its quartiles, cut at 30 days or, if that is later, at the third
// quartile.
func quartilesLaw(parts []string) (law.Law, error) {
	if len(parts) != 3 {
		return nil, fmt.Errorf("want three quartiles, as in quartiles:61s,531s,5407s")
	}
	var q [3]float64
	for i, p := range parts {
		t, err := lawTime(p)
		if err != nil {
			return nil, err
		}
		q[i] = t
	}
	if !(q[0] < q[1] && q[1] < q[2]) {
		return nil, fmt.Errorf("quartiles %s are not in rising order", strings.Join(parts, ", "))
	}
	return hosts.FromQuartiles(q[0], q[1], q[2], max(30*hosts.Day, q[2]))
}

// lawTime reads a time from 1 s to 1e9 s, some 30 years.
func lawTime(text string) (float64, error) {
	t, err := units.Parse[units.Duration](strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf("%s; or %s", plainly(err), LawForm)
	}
	if !(t >= 1 && t <= 1e9) {
		return 0, fmt.Errorf("%q: want a time of 1 s to 1e9 s", strings.TrimSpace(text))
	}
	return float64(t), nil
}

// plainly returns the message of a quantity's error without its package, to stand within another
// message.
func plainly(err error) string {
	if bad, ok := errors.AsType[*units.ParseError](err); ok {
		return bad.Problem()
	}
	return err.Error()
}
