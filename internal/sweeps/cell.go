package sweeps

import (
	"bytes"
	"encoding/csv"
)

// What a byte is inside a JSON string that becomes a cell of CSV. Bytes that are plain in both are
// all that most cells hold, and are copied as they stand.
const (
	plainByte   = iota // stays as it is
	lastByte           // ends the string
	specialByte        // the rules of JSON and CSV say what it is
)

// cellBytes are the kinds of all bytes.
var cellBytes = func() (kinds [256]byte) {
	for c := range kinds {
		if c < ' ' || c > '~' || c == '\\' || c == ',' {
			kinds[c] = specialByte
		}
	}
	kinds['"'] = lastByte
	return kinds
}()

// appendCells appends the rest of a list of JSON strings, each behind a comma, as
// cells of CSV, each before one. ok is false for what is no such list. A cell of other bytes is
// decoded and written by the usual packages.
func appendCells(to, text []byte) (all []byte, cells int, ok bool) {
	for rest := text; ; cells++ {
		if len(rest) == 1 && rest[0] == ']' {
			return to, cells, true
		}
		if len(rest) < 3 || rest[0] != ',' || rest[1] != '"' {
			return to, cells, false
		}
		if rest[2] == '"' { // half of the cells of many answers
			to, rest = append(to, ','), rest[3:]
			continue
		}
		end := 2
		for end < len(rest) && cellBytes[rest[end]] == plainByte {
			end++
		}
		// A cell that begins with a blank is quoted in CSV.
		if end < len(rest) && rest[end] == '"' && rest[2] != ' ' {
			to, rest = append(append(to, rest[2:end]...), ','), rest[end+1:]
			continue
		}
		l := list{rest: rest[1:]}
		cell := string(l.text())
		if l.bad {
			return to, cells, false
		}
		to, rest = append(appendCell(to, cell), ','), l.rest
	}
}

// appendCell appends a cell as package csv writes it. The result is the same byte by byte, and
// takes a tenth of the time for plain cells.
func appendCell(to []byte, cell string) []byte {
	for i := range len(cell) {
		if cellBytes[cell[i]] != plainByte || cell[0] == ' ' {
			line, _ := csvLine([]string{cell}) // a buffer takes it
			return append(to, bytes.TrimSuffix(line, []byte("\n"))...)
		}
	}
	return append(to, cell...)
}

// csvLine writes a line.
func csvLine(cells []string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.Write(cells)
	w.Flush()
	return b.Bytes(), err
}
