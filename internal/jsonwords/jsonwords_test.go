package jsonwords

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Every place at which JSON can be wrong is told in our words.
func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": }`:                   `'}' where a value should begin`,
		`{a: 1}`:                    `'a' where the name of a field should begin, in double quotes`,
		`{"a" 1}`:                   `'1' after the name of a field, where a colon should stand`,
		`{"a": 1 "b"}`:              `'"' after the value of a field, where a comma or } should stand`,
		`[1 2]`:                     `'2' after an element of a list, where a comma or ] should stand`,
		`{} x`:                      `'x' after the end of the document`,
		"\"a\nb\"":                  `'\n' in a text, where it must be written as an escape such as \n or \u0001`,
		`"\q"`:                      `'q' after a backslash, where one of "\/bfnrtu should stand`,
		`"\u12g4"`:                  `'g' in an escape, which has four hexadecimal digits after \u`,
		`-x`:                        `'x' in a number, where a digit should stand`,
		`1.x`:                       `'x' after the point of a number, where a digit should stand`,
		`1ex`:                       `'x' in the exponent of a number, where a digit should stand`,
		`tru`:                       `it ends within the word true`,
		`trux`:                      `'x' in a word that begins as true does; text stands in double quotes`,
		`nan`:                       `'a' in a word that begins as null does; text stands in double quotes`,
		`[1,`:                       `it ends before the document does`,
		`{"n": 1e3}`:                `n is a number 1e3, not a whole number`,
		`{"n": "x"}`:                `n is a text, not a whole number`,
		`{"s": [1]}`:                `s is a list, not a text`,
		`{"in": 3}`:                 `in is a number, not an object`,
		`{"l": true}`:               `l is a true or false, not a list`,
		`{"other": 1}`:              `unknown field "other"`,
		`{"t": "2026-28T"}`:         `"2026-28T" is not a time such as 2026-11-20T12:00:00Z`,
		`{"t": 1}`:                  `a time is not a text such as "2026-11-20T12:00:00Z"`,
		`[]`:                        `the document is a list, not an object`,
		`{"in": {"f": "x"}}`:        `f is a text, not a number`,
		strings.Repeat("[", 10_001): `lists or objects within each other, deeper than 10,000`,
	} {
		var v struct {
			N  int       `json:"n"`
			S  string    `json:"s"`
			L  []int     `json:"l"`
			T  time.Time `json:"t"`
			In struct {
				F float64 `json:"f"`
			} `json:"in"`
		}
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.DisallowUnknownFields()
		err := d.Decode(&v)
		if err == nil || text == `{} x` || !json.Valid([]byte(text)) {
			err = json.Unmarshal([]byte(text), &v)
		}
		if err == nil {
			t.Fatalf("%.40q is read", text)
		}
		got := Of(err)
		if got != want {
			t.Errorf("%.40q: %s, want %s", text, got, want)
		}
		if regexp.MustCompile(`json:|JSON|parsing|literal|Go |key|array|invalid character`).MatchString(got) {
			t.Errorf("%.40q: %q has words of the reader", text, got)
		}
	}
}
