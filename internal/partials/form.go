package partials

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/capplan/capplan/internal/pieces"
)

// JSON is the form of partials that encoding/json gives back as they were: all of
// their fields are exported, have JSON names, and hold finite numbers or [Number]s.
func JSON[P any]() pieces.Form[P] {
	return pieces.Form[P]{
		Write: func(to []byte, _ int, p P, _ pieces.Words) ([]byte, error) {
			var text bytes.Buffer
			e := json.NewEncoder(&text)
			e.SetEscapeHTML(false) // a text that is JSON already stays as it is
			err := e.Encode(p)
			return append(to, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...), err
		},
		Read: func(_ int, text []byte, _ pieces.Said) (p P, err error) {
			err = json.Unmarshal(text, &p)
			return p, err
		},
	}
}

// A Number is one that may be infinite or none: JSON has those as texts, "NaN".
type Number float64

// MarshalJSON writes the number so that it is read back to the bit.
func (n Number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte(`"` + strconv.FormatFloat(v, 'g', -1, 64) + `"`), nil
	}
	return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
}

var errNumber = errors.New("this is not a number")

// UnmarshalJSON reads it. Errors: for a text that is no number.
func (n *Number) UnmarshalJSON(text []byte) error {
	if k := len(text); k > 1 && text[0] == '"' && text[k-1] == '"' {
		text = text[1 : k-1]
	}
	// Texts of NaN and infinities are among what is read here.
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return errNumber
	}
	*n = Number(v)
	return nil
}

// Numbers are values as JSON can keep them. nil stays nil.
func Numbers(values []float64) []Number {
	if values == nil {
		return nil
	}
	out := make([]Number, len(values))
	for i, v := range values {
		out[i] = Number(v)
	}
	return out
}

// Floats are the values of numbers. nil stays nil.
func Floats(numbers []Number) []float64 {
	if numbers == nil {
		return nil
	}
	out := make([]float64, len(numbers))
	for i, v := range numbers {
		out[i] = float64(v)
	}
	return out
}
