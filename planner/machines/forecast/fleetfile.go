package forecast

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/capplan/capplan/internal/given"
)

// WriteFleet writes a fleet as [json.Encoder] does, machine by machine: as one text the largest takes hundreds
// of MB more. Errors: those of w.
func WriteFleet(w io.Writer, f *Fleet) error {
	w = given.Writer(w)
	if f == nil || len(f.Records) == 0 {
		return json.NewEncoder(w).Encode(f)
	}
	none := *f
	none.Records = nil
	text, err := line(&none)
	if err != nil {
		return err
	}
	// Quotes within a text have a backslash before them, so that this is the field.
	const field = `"records":`
	head, tail, _ := bytes.Cut(text, []byte(field+"null"))
	head = append(bytes.Clone(head), field+"["...)
	for i := range f.Records {
		record, err := json.Marshal(&f.Records[i])
		if err != nil {
			return err
		}
		if _, err := w.Write(append(head, record...)); err != nil {
			return err
		}
		head = append(head[:0], ',')
	}
	_, err = w.Write(append([]byte("]"), tail...))
	return err
}
