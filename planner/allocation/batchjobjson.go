package allocation

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/capplan/capplan/units"
)

// AppendJSON appends what json.Marshal makes of the job, more than ten times faster:
// the levels of a large batch are most of its bytes. BenchmarkWriteBatch has both.
func (j *BatchJob) AppendJSON(b []byte) ([]byte, error) {
	if j.Eligible != nil {
		data, err := json.Marshal(j) // lists of names, of few jobs
		return append(b, data...), err
	}
	var err error
	field := func(name, value string) {
		if err == nil && value != "" {
			b = append(append(append(b, ',', '"'), name...), '"', ':')
			b, err = appendString(b, value)
		}
	}
	b = append(b, `{"id":`...)
	if b, err = appendString(b, j.ID); err != nil {
		return b, err
	}
	field("class", j.Class)
	field("admission", j.Admission)
	if err != nil {
		return b, err
	}
	if j.BaseFee != nil {
		b = appendCount(append(b, `,"base_fee":`...), *j.BaseFee)
	}
	b = append(b, `,"levels":{`...)
	for i, need := range j.Levels {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendString(b, need.Dependency); err != nil {
			return b, err
		}
		b = append(b, ':')
		if need.Value == nil {
			b = append(b, "null"...)
			continue
		}
		b = append(b, '[')
		for n, l := range need.Value {
			if n > 0 {
				b = append(b, ',')
			}
			b = appendCount(append(b, `{"demand":`...), l.Demand)
			b = append(appendCount(append(b, `,"revenue":`...), l.Revenue), '}')
		}
		b = append(b, ']')
	}
	return append(b, '}', '}'), nil
}

// appendCount appends a whole number.
func appendCount(b []byte, n units.Count) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendString appends a text as JSON has it. Nearly all names are plain, and
// json.Marshal is asked for the others.
func appendString(b []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' ||
			c == 0x7f {
			data, err := json.Marshal(s)
			return append(b, data...), err
		}
	}
	return append(append(append(b, '"'), s...), '"'), nil
}
