package paper

import (
	_ "embed"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// A Verdict says how a number that a paper prints compares with ours.
type Verdict string

const (
	Agrees       Verdict = "agrees"
	Differs      Verdict = "differs"
	CannotBeTold Verdict = "cannot be told" // nothing is computed, or chance leaves it open
)

// A VerdictTally counts the printed numbers of a figure by verdict.
type VerdictTally struct {
	Agrees       int `json:"agrees"`
	Differs      int `json:"differs"`
	CannotBeTold int `json:"cannot_be_told"`
}

// aboutShare is how far a number may lie from what the paper calls "about".
const aboutShare = 0.2

// qualifiers are the words with which a paper softens a number; a note begins
// with them.
var qualifiers = []struct {
	words string
	kind  byte // '<' at most, '>' at least, '~' about
}{
	{"at most", '<'}, {"no more than", '<'}, {"less than", '<'}, {"within", '<'}, {"as high as", '<'}, {"up to", '<'},
	{"below", '<'},
	{"at least", '>'}, {"more than", '>'}, {"above", '>'},
	{"about", '~'}, {"around", '~'}, {"close to", '~'}, {"some ", '~'},
}

// Judge compares what is printed with what is computed. What is printed stands
// for all numbers that round to it: half a unit of its last digit to either
// side; what it says in words is rounded to nothing. "About" adds a fifth of it, "at
// most" and its like all that lies below, "at least" all above. What is computed stands for its interval where it has
// one. The two agree where they overlap.
func (r *Row) Judge() Verdict {
	switch {
	case r.Verdict != "": // said by who computed it, also of claims without a number
		return r.Verdict
	case r.Printed == nil:
		return ""
	case r.Computed == nil:
		return CannotBeTold
	}
	from, to := *r.Printed, *r.Printed
	half := halfUnit(from)
	if r.PrintedTo != nil {
		to = *r.PrintedTo
		// The two ends of a range may be printed with different digits: the coarser one says how
		// well the range is known.
		half = max(half, halfUnit(to))
	}
	if r.Unit == "" && math.Abs(to) < 1 { // a fraction, which papers print in whole percents
		// A fraction of 0.5 may stand for 50 %, whose half unit is 0.005 and not 0.05.
		half = min(half, 0.005)
	}
	for _, q := range qualifiers {
		if !strings.HasPrefix(r.Note, q.words) {
			continue
		}
		// "More than twice" is a bound by itself: 1.9 is not more than two by rounding.
		if q.kind != '~' && strings.Contains(r.Note, "in words") {
			half = 0
		}
		switch q.kind {
		case '<':
			from = math.Inf(-1)
		case '>':
			to = math.Inf(1)
		case '~':
			from, to = from-aboutShare*math.Abs(from), to+aboutShare*math.Abs(to)
		}
		break
	}
	low, high := *r.Computed, *r.Computed
	if r.Low != nil && r.High != nil {
		low, high = min(low, *r.Low), max(high, *r.High)
	}
	// The last digits of binary numbers may not decide at the edge of the rounding.
	if rounding := half * (1 + 1e-9); high < from-rounding || low > to+rounding {
		return Differs
	}
	return Agrees
}

// halfUnit is half a unit of the last digit that a number is printed with.
func halfUnit(v float64) float64 {
	// A number without a fraction is known to half of one: trailing zeros of 400 are taken as
	// digits.
	_, fraction, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	return math.Pow10(-len(fraction)) / 2
}

// tally judges all rows and counts.
func (a *Reproduction) tally() {
	for i := range a.Rows {
		a.Rows[i].Verdict = a.Rows[i].Judge()
		a.Verdicts.Count(a.Rows[i].Verdict)
	}
}

// Count counts a verdict. A row without one is not counted.
func (t *VerdictTally) Count(v Verdict) {
	switch v {
	case Agrees:
		t.Agrees++
	case Differs:
		t.Differs++
	case CannotBeTold:
		t.CannotBeTold++
	}
}

// verdicts.json holds the tallies of all that is computed at its defaults, for
// lists, which compute nothing: go test ./internal/papers -run TestListedVerdicts
// -update-verdicts NAMES writes it, NAMES a pattern.
//
//go:embed verdicts.json
var listedVerdicts []byte

// RelativeLaw ends the names of tallies under the relative capacity law.
const RelativeLaw = " --capacity-law relative"

// Listed returns the stored tallies by the name of the figure.
func Listed() map[string]*VerdictTally {
	all := map[string]*VerdictTally{}
	if err := json.Unmarshal(listedVerdicts, &all); err != nil {
		panic("paper: verdicts.json: " + err.Error()) // part of the program
	}
	return all
}
