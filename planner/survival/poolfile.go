package survival

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
	"github.com/capplan/capplan/units"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// poolForm is what an error asks for.
const (
	poolForm = `CSV with the columns name, availability (or mttf and mttr) and cost, or machines such as "- {name: rack-1, mttf: 30d, mttr: 4h, cost: 0.2}"`
	maxPool  = 1 << 20 // machines
)

// A poolFile lists machines that differ, of which some are to be chosen.
type poolFile struct {
	Machines []poolRow `json:"machines"`
}

// A poolRow is a machine that is there for a share of the time, given as it is or by how long
// it stays up and down.
type poolRow struct {
	Name         string          `json:"name,omitempty"`
	Availability *units.Fraction `json:"availability,omitempty"`
	MTTF         *units.Duration `json:"mttf,omitempty"`
	MTTR         *units.Duration `json:"mttr,omitempty"`
	Cost         units.Cost      `json:"cost"` // such as 0.2, $0.2/h or €72/month, all in one currency
}

// ReadPool reads machines from YAML or JSON,
//
//	machines:
//	  - {name: spot-a, availability: 90%, cost: 0.03}
//	  - {name: rack-1, mttf: 30d, mttr: 4h, cost: 0.2}
//
// or from CSV with the same fields as columns, where an empty cell is a field
// that is left out. CSV is told by its first line that is no comment: it has a
// comma and no colon or bracket.
//
// A machine without a name gets its number. Errors are *FileError, with line and column.
func ReadPool(ctx context.Context, name string, r io.Reader) ([]PoolMachine, error) {
	ctx = given.Context(ctx)
	f, err := readPool(ctx, name, r)
	if err != nil {
		return nil, err
	}
	out := make([]PoolMachine, len(f.Machines))
	for i, m := range f.Machines {
		m.Name = cmp.Or(m.Name, fmt.Sprintf("machine %d", i+1))
		out[i] = PoolMachine{
			Name:         m.Name,
			Availability: (*float64)(m.Availability),
			MTTF:         (*float64)(m.MTTF),
			MTTR:         (*float64)(m.MTTR),
			Cost:         m.Cost,
		}
	}
	return out, nil
}

// readPool reads a pool in CSV or in YAML. A first row with a comma and none of the signs of YAML is a
// table.
func readPool(ctx context.Context, name string, r io.Reader) (*poolFile, error) {
	b := bufio.NewReaderSize(given.Reader(r), source.MaxLine)
	head, _ := b.Peek(source.MaxLine) // an error comes again
	if line := table.FirstRow(head); bytes.IndexByte(line, ',') >= 0 && !bytes.ContainsAny(line, ":{[") {
		return readPoolTable(ctx, name, b)
	}
	f := &poolFile{}
	d, err := document.ReadInto(ctx, name, poolForm, b, f, "the document")
	if err != nil {
		return nil, err
	}
	list := d.Root.Field("machines")
	switch {
	case len(f.Machines) == 0:
		return nil, d.On(list, "no machines", poolForm)
	case len(f.Machines) > maxPool:
		return nil, d.On(list, fmt.Sprintf("%d machines", len(f.Machines)), fmt.Sprintf("at most %d", maxPool))
	}
	for i := range f.Machines {
		if problem, want := f.Machines[i].wrong(); problem != "" {
			return nil, d.On(list.Item(i), problem, want)
		}
	}
	if clash := f.clash(); clash != nil {
		line := list.Item(clash.First).Field("cost").Line
		return nil, d.On(list.Item(clash.Second).Field("cost"), clash.Beside(int(line)), units.ComparableCosts)
	}
	return f, nil
}

// clash finds two costs that cannot be compared.
func (f *poolFile) clash() *units.CostClash {
	costs := make([]units.Cost, len(f.Machines))
	for i := range f.Machines {
		costs[i] = f.Machines[i].Cost
	}
	_, clash := units.OneCost(costs...)
	return clash
}

// wrong finds what does not go together.
func (m *poolRow) wrong() (problem, want string) {
	at := "a machine"
	if m.Name != "" {
		at = fmt.Sprintf("machine %q", m.Name)
	}
	switch {
	case m.Availability == nil && (m.MTTF == nil || m.MTTR == nil):
		return at + " without availability", "an availability such as 99%, or mttf and mttr such as 30d and 4h"
	case m.Availability != nil && (m.MTTF != nil || m.MTTR != nil):
		return at + " with both availability and mttf or mttr", "one of the two"
	}
	return "", ""
}

// readPoolTable reads a machine from each row.
func readPoolTable(ctx context.Context, name string, r io.Reader) (*poolFile, error) {
	fields, names := table.Fields(reflect.TypeFor[poolRow]())
	// Which columns are needed besides the cost depends on the row, as wrong says.
	t, err := table.New(ctx, name, r, poolForm, names, func(n string) bool { return n == "cost" })
	if err != nil {
		return nil, err
	}
	columns, at := t.ColumnsOf(fields, func(table.Field) bool { return true })
	f := &poolFile{}
	// Lines are kept to name the row of a cost that clashes with another.
	var lines []int
	for {
		ok, err := t.Next()
		switch {
		case err != nil:
			return nil, err
		case !ok && len(f.Machines) == 0:
			return nil, t.Fail("no machines", source.ErrMalformed)
		case !ok:
			if clash := f.clash(); clash != nil {
				return nil, &FileError{File: name, Line: lines[clash.Second], Problem: clash.Beside(lines[clash.First]),
					Want: units.ComparableCosts, Err: source.ErrMalformed}
			}
			return f, nil
		case len(f.Machines) == maxPool:
			return nil, t.Bad(0, fmt.Sprintf("more than %d machines", maxPool), "fewer")
		}
		var m poolRow
		v := reflect.ValueOf(&m).Elem()
		for i, c := range columns {
			if _, err := t.Set(at[i], c.Name, c.Required, v.Field(c.Index)); err != nil {
				return nil, err
			}
		}
		if problem, want := m.wrong(); problem != "" {
			return nil, t.Bad(0, problem, want)
		}
		f.Machines, lines = append(f.Machines, m), append(lines, int(t.Line))
	}
}
