package frailty

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/smp"
)

// A Model is the hazard of a fleet and what is known of its machines. It is
// made by [Fit] and never changed by its methods.
type Model struct {
	Period     float64   `json:"period_s"`
	Base       float64   `json:"base_hazard"`          // failures per step over all, where nothing else is known
	Age        []float64 `json:"age_hazard"`           // α by age bin, failures per step
	Hour       []float64 `json:"hour_factor"`          // β by hour of the week, mean 1
	Shape      float64   `json:"shape"`                // k, of the frailties of machines
	GroupShape float64   `json:"group_shape"`          // k_g; without groups of no effect
	HourShape  float64   `json:"hour_shape"`           // by which the hours are shrunk to 1
	AgePseudo  float64   `json:"age_pseudo,omitempty"` // failures that a neighbouring age is worth; 0: 1
	AgeFall    float64   `json:"age_fall,omitempty"`   // by which ln α falls from bin to bin on average
	Machines   []Machine `json:"machines"`             // by name
	Groups     []Group   `json:"groups"`               // by name; empty without groups
	// AgeFailures and HourFailures are the failures that the factors rest on.
	AgeFailures  []float64 `json:"age_failures"`
	HourFailures []float64 `json:"hour_failures"`
	Iterations   int       `json:"iterations"` // rounds of fitting
	Converged    bool      `json:"converged"`  // false: Options.Iterations were not enough
}

// A Machine is what a model knows of one machine.
type Machine struct {
	Name     string  `json:"name"`
	Group    string  `json:"group,omitempty"`
	Failures float64 `json:"failures"`          // d
	Expected float64 `json:"expected_failures"` // L
	Frailty  float64 `json:"frailty"`           // E[θ | its record], 1 at the mean of the fleet
}

// hazards returns λ by cell.
func (m *Model) hazards() []float64 {
	out := make([]float64, Ages*Hours)
	for c := range out {
		out[c] = m.Age[c/Hours] * m.Hour[c%Hours]
	}
	return out
}

// extreme bounds the numbers of a model that was read from a file, and its inverse those above 0:
// no fit makes such, and their sums and products over a record stay within the range of numbers.
const extreme = 1e100

// Check says what is wrong with a model that was read from a file.
func (m *Model) Check() error {
	bad := func(arg string, v float64, want string) error {
		return &smp.DomainError{Func: "Model", Arg: arg, Value: v, Want: want}
	}
	const positive, counts = "a number from 1e-100 to 1e100", "0, or a number from 1e-100 to 1e100"
	// Named as in the file, by which whoever mends it finds them.
	for _, of := range []struct {
		field  string
		values []float64
		many   int
		want   string
	}{
		{"period_s", []float64{m.Period}, 1, positive},
		{"base_hazard", []float64{m.Base}, 1, positive},
		{"age_hazard", m.Age, Ages, positive},
		{"hour_factor", m.Hour, Hours, positive},
		{"shape", []float64{m.Shape}, 1, positive},
		{"group_shape", []float64{m.GroupShape}, 1, positive},
		{"hour_shape", []float64{m.HourShape}, 1, positive},
		{"age_pseudo", []float64{m.AgePseudo}, 1, counts},
		{"age_failures", m.AgeFailures, Ages, counts},
		{"hour_failures", m.HourFailures, Hours, counts},
	} {
		if len(of.values) != of.many {
			return bad("numbers of "+of.field, float64(len(of.values)), fmt.Sprint(of.many))
		}
		for _, v := range of.values {
			if !(v >= 1/extreme || v == 0 && of.want == counts) || v > extreme {
				return bad(of.field, v, of.want)
			}
		}
	}
	if !(math.Abs(m.AgeFall) <= 1) {
		return bad("age_fall", m.AgeFall, "-1 to 1")
	}
	for i, x := range m.Machines {
		if !(x.Failures >= 0 && x.Expected >= 0 && x.Frailty >= 0) || x.Failures+x.Expected+x.Frailty > extreme {
			return bad("machine "+x.Name, x.Failures, "failures, their expectation and frailty of 0 to 1e100")
		}
		if i > 0 && m.Machines[i-1].Name >= x.Name {
			return bad("machine "+x.Name, float64(i), "machines in the order of their names, each once")
		}
	}
	for i, g := range m.Groups {
		if err := g.check(); err != nil {
			return err
		}
		if i > 0 && m.Groups[i-1].Name >= g.Name {
			return bad("Group "+g.Name, float64(i), "groups in the order of their names, each once")
		}
	}
	return nil
}

// Machine returns what is known of a machine; of one that the model has not
// seen, the law of the fleet, and false.
func (m *Model) Machine(name string) (Machine, bool) {
	i, ok := slices.BinarySearchFunc(m.Machines, name,
		func(x Machine, name string) int { return cmp.Compare(x.Name, name) })
	if !ok {
		return Machine{Name: name, Frailty: 1}, false
	}
	return m.Machines[i], true
}

// A Window is a time to come: Steps steps from First on, at which the machine
// is free and of an age.
type Window struct {
	First int64
	Age   Age
	Steps int64
}

// maxWindow bounds the steps of a window.
const maxWindow = 20_000_000

func (m *Model) check(fn string, w Window) error {
	if err := (Clock{Period: m.Period}).Check(); err != nil {
		return err
	}
	if len(m.Age) != Ages || len(m.Hour) != Hours {
		return &smp.DomainError{Func: fn, Arg: "len(Age)", Value: float64(len(m.Age)), Want: "a model that Fit made"}
	}
	if err := (Clock{Period: m.Period}).span(fn, float64(w.Steps)); err != nil {
		return err
	}
	if w.Steps < 0 || w.Steps > maxWindow || w.Age.Steps < 0 || w.Age.Steps > math.MaxInt64/2 ||
		w.First > math.MaxInt64/2 {
		return &smp.DomainError{
			Func:  fn,
			Arg:   "Window.Steps, Window.Age",
			Value: float64(w.Steps),
			Want:  fmt.Sprintf("0..%d steps, an age >= 0", maxWindow),
		}
	}
	return nil
}

// Expected returns ΔL, the failures expected in a window at frailty 1.
func (m *Model) Expected(c smp.Calendar, w Window) (float64, error) {
	if err := m.check("Model.Expected", w); err != nil {
		return 0, err
	}
	total := 0.0
	Clock{m.Period, c}.each(w.First, w.Age, w.Steps, func(cell int, _, steps int64) bool {
		total += m.Age[cell/Hours] * m.Hour[cell%Hours] * float64(steps)
		return true
	})
	return total, nil
}

// Cumulative returns ΔL of all windows of 0 … w.Steps steps.
func (m *Model) Cumulative(c smp.Calendar, w Window) ([]float64, error) {
	if err := m.check("Model.Cumulative", w); err != nil {
		return nil, err
	}
	out := make([]float64, w.Steps+1)
	Clock{m.Period, c}.each(w.First, w.Age, w.Steps, func(cell int, from, steps int64) bool {
		l := m.Age[cell/Hours] * m.Hour[cell%Hours]
		for s := from; s < from+steps; s++ {
			out[s+1] = out[s] + l
		}
		return true
	})
	return out, nil
}

// Survival returns the chance that a machine stays free while ΔL failures are
// expected at frailty 1, the predictive law of gamma and Poisson:
//
//	p = ((k + L) / (k + L + ΔL))^(k + d)
//
// averaged over the law of its group's frailty where it has one. It lies
// between 0 and 1 and is neither for 0 < ΔL < ∞. Source: Lawless 2003, 2.2.3.
func (m *Model) Survival(x Machine, expected float64) float64 {
	if !(expected >= 0) {
		return math.NaN()
	}
	return m.overGroup(x, func(phi float64) float64 { return m.survivalAt(x, expected, phi) })
}

// overGroup is the mean of a chance over the law of the frailty of a machine's group, that at
// frailty 1 where it has none.
func (m *Model) overGroup(x Machine, chance func(phi float64) float64) float64 {
	if x.Group == "" {
		return chance(1)
	}
	total := 0.0
	g := m.group(x.Group)
	for i, phi := range g.Frailty {
		total += g.Weight[i] * chance(phi)
	}
	return total
}

// survivalAt is Survival where the group's frailty is phi.
func (m *Model) survivalAt(x Machine, expected, phi float64) float64 {
	return math.Exp(-(m.Shape + x.Failures) * math.Log1p(phi*expected/(m.Shape+phi*x.Expected)))
}

// A Band holds limits of a chance.
type Band struct{ Low, High float64 }

// Band returns limits between which the machine's own chance to stay free,
// exp(−θ ΔL), lies with the given probability, 0 < level < 1: quantiles of the
// law of θ, with the uncertainty of the hazard itself added to it: a factor of median 1
// whose logarithm has the variance v ≥ 0 (see [Model.Uncertainty]). Of few machines the shape k is hardly
// known: the law is the mean over what it may be. With a group it is a mixture too.
func (m *Model) Band(x Machine, expected, v, level float64) (Band, error) {
	if !(level > 0 && level < 1) {
		return Band{}, &smp.DomainError{Func: "Model.Band", Arg: "level", Value: level, Want: "0 < level < 1"}
	}
	if !(expected >= 0) || !(v >= 0) || math.IsInf(v+expected, 1) {
		return Band{}, &smp.DomainError{
			Func:  "Model.Band",
			Arg:   "expected",
			Value: expected,
			Want:  "finite numbers >= 0",
		}
	}
	g := &Group{Frailty: []float64{1}, Weight: []float64{1}}
	if x.Group != "" {
		g = m.group(x.Group)
	}
	for _, v := range append([]float64{m.Shape, m.Shape + x.Failures, m.Shape + x.Expected}, g.Frailty...) {
		if !(v > 0) || math.IsInf(v, 1) {
			return Band{}, &smp.DomainError{
				Func:  "Model.Band",
				Arg:   "machine " + x.Name,
				Value: v,
				Want:  "a model that Fit made, and a machine of it",
			}
		}
	}
	shapes, chance := m.likelyShapes()
	v = math.Min(v, 30) // e^v is finite, and the band all of 0 to 1
	// P(θ ≤ t), θ = φψ and ψ | φ ~ Gamma(d + k, k + φL).
	var laws gammas
	for j, k := range shapes {
		shape := k + x.Failures
		unsure := 1 / (1/shape + math.Expm1(v)*(1+1/shape))
		lg, _ := math.Lgamma(unsure)
		for i, phi := range g.Frailty {
			if w := g.Weight[i] * chance[j]; w >= 1e-6 {
				mean := shape * phi / (k + phi*x.Expected) * math.Exp(v/2)
				laws = append(laws, weighted{distuv.Gamma{Alpha: unsure, Beta: unsure / mean}, w, lg})
			}
		}
	}
	high, low := laws.quantile((1-level)/2), laws.quantile((1+level)/2)
	return Band{math.Exp(-low * expected), math.Exp(-high * expected)}, nil
}
