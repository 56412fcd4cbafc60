package forecast

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
)

// A keptQuestion is the first line of what a [Learning] keeps: two of the same learn
// the same of a record.
type keptQuestion struct {
	Kept      string             `json:"kept"` // counts of machines
	Labelling machines.Labelling `json:"labelling"`
	machines.ClockText
	Before string `json:"before,omitempty"` // SHA-256 of the fleet that days are added to
}

// A keptMachine is a further line: what is known of one machine, or why nothing is.
type keptMachine struct {
	MachineRecord
	Begin    float64  `json:"begin_s"`
	Period   float64  `json:"period_s"`
	Warnings []string `json:"warnings,omitempty"`
	Left     string   `json:"left_out,omitempty"`
}

// weigh adds what the line of a machine, of so many bytes, comes to in the file of the fleet at least: its record
// and a comma. Errors: that of [FileFits].
func (l *Learning) weigh(m *keptMachine, bytes int) error {
	if m.Left != "" {
		return nil
	}
	without := *m
	without.MachineRecord = MachineRecord{}
	rest, err := line(&without)
	if err != nil {
		return err
	}
	none, err := json.Marshal(MachineRecord{})
	if err != nil {
		return err
	}
	l.written += bytes - (len(rest) - len(none)) + 1
	return FileFits(l.written)
}

// Keep writes the counts of each machine to w as a line of JSON as soon as it is
// added, after a line that tells the question, so that a run that is stopped can go on
// with [Learning.Resume]. Call it before the first machine is added. Errors: those of w.
func (l *Learning) Keep(w io.Writer) error {
	w = given.Writer(w)
	if l.Resumed() == 0 {
		head, err := l.keptHead()
		if err != nil {
			return err
		}
		if _, err := w.Write(head); err != nil {
			return err
		}
	}
	l.kept = w
	return nil
}

// keptHead returns the first line. A fleet that days are added to is identified by a digest: counts
// continued with another fleet would count days twice.
func (l *Learning) keptHead() ([]byte, error) {
	q := keptQuestion{Kept: "counts of machines", Labelling: l.labelling, ClockText: l.labelling.ClockText()}
	if l.before != nil {
		text, err := json.Marshal(l.before)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		q.Before = hex.EncodeToString(sum[:])
	}
	return line(q)
}

// line returns a value as a line of JSON.
func line(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(text, '\n'), err
}

// Resume takes over the machines of what an earlier run kept, and returns how many
// bytes of it hold: a line that a kill has cut does not, nor does a question alone.
// Errors: *ask.InputError of what was kept for another question, or is none.
func (l *Learning) Resume(kept []byte) (int64, error) {
	head, err := l.keptHead()
	if err != nil {
		return 0, err
	}
	first, rest, whole := bytes.Cut(kept, []byte("\n"))
	switch {
	case !whole && bytes.HasPrefix(head, first):
		return 0, nil
	case !bytes.HasPrefix(first, []byte(`{"kept":"counts of machines",`)):
		return 0, ask.Inputf("resume", "the unfinished file holds no counts of machines: it is not changed")
	case !bytes.Equal(append(slices.Clone(first), '\n'), head):
		return 0, ask.Inputf("resume", "the unfinished file answers another question, %s, and this one asks for %s",
			first, bytes.TrimSpace(head))
	}
	n := int64(len(head))
	for number := 2; ; number++ {
		text, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			break
		}
		var m keptMachine
		if err := json.Unmarshal(text, &m); err != nil || m.Name == "" || l.Has(m.Name) {
			return 0, ask.Inputf("resume", "line %d of the unfinished file is not a machine: the file is not changed",
				number)
		}
		// The group is not kept: whoever goes on may group otherwise.
		if l.group != nil {
			m.Group = l.group(m.Name)
		}
		l.resumed[m.Name] = true
		if err := l.take(&m); err != nil {
			return 0, err
		}
		if err := l.weigh(&m, len(text)+1); err != nil {
			return 0, err
		}
		n, rest = n+int64(len(text))+1, after
	}
	if len(l.resumed) == 0 {
		return 0, nil
	}
	return n, nil
}

// Resumed is the number of machines that were taken over.
func (l *Learning) Resumed() int { return len(l.resumed) }

// Has reports whether a machine was taken over, and need not be read.
func (l *Learning) Has(name string) bool { return l.resumed[name] }
