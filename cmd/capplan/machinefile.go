package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
	"github.com/capplan/capplan/workload"
)

const (
	machineForm     = "CSV with the columns name, availability (or mttf and mttr) and cost, or YAML with a list machines of the same fields"
	maxMachineBytes = 16 << 20
)

var machineKeys = []string{"machines", "name", "availability", "mttf", "mttr", "cost"}

// A machineRow is one machine as it stands in a file.
type machineRow struct {
	Name         string          `yaml:"name"`
	Availability *units.Fraction `yaml:"availability"`
	MTTF         *units.Duration `yaml:"mttf"`
	MTTR         *units.Duration `yaml:"mttr"`
	Cost         *units.Number   `yaml:"cost"`
}

// readMachines reads a pool of machines; "-" is stdin.
func readMachines(path string, s *streams) ([]planner.PoolMachine, error) {
	src, err := workload.Open(path, workload.OpenOptions{Stdin: s.in, Want: machineForm})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	data, err := io.ReadAll(io.LimitReader(src, maxMachineBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxMachineBytes {
		return nil, poolError(src.Name, fmt.Sprintf("more than %d bytes", maxMachineBytes))
	}
	return parseMachines(src.Name, data)
}

func poolError(file, reason string) error {
	return &planner.InputError{Field: "pool", Reason: file + ": " + reason}
}

// parseMachines reads CSV if the first line that is no comment has a comma and
// no colon, YAML or JSON otherwise.
func parseMachines(file string, data []byte) ([]planner.PoolMachine, error) {
	var rows []machineRow
	var lines []int
	var err error
	if isCSV(data) {
		rows, lines, err = machinesCSV(file, data)
	} else {
		var doc struct {
			Machines []machineRow `yaml:"machines"`
		}
		if e := yaml.UnmarshalWithOptions(data, &doc, yaml.Strict()); e != nil && !errors.Is(e, io.EOF) {
			err = poolError(file, yamlError(e, machineKeys))
		}
		rows = doc.Machines
	}
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, poolError(file, "no machine, want "+machineForm)
	}
	out := make([]planner.PoolMachine, len(rows))
	for i, r := range rows {
		at := fmt.Sprintf("machine %d", i+1)
		if lines != nil {
			at = fmt.Sprintf("line %d", lines[i])
		}
		if r.Name != "" {
			at += " (" + r.Name + ")"
		}
		switch {
		case r.Cost == nil:
			return nil, poolError(file, at+": no cost, want a number such as 0.12")
		case r.Availability == nil && (r.MTTF == nil || r.MTTR == nil):
			return nil, poolError(file, at+": want an availability such as 99%, or mttf and mttr such as 30d and 4h")
		case r.Availability != nil && (r.MTTF != nil || r.MTTR != nil):
			return nil, poolError(file, at+": give an availability, or mttf and mttr, not both")
		}
		if r.Name == "" {
			r.Name = fmt.Sprintf("machine %d", i+1)
		}
		out[i] = planner.PoolMachine{Name: r.Name, Availability: float(r.Availability), MTTF: float(r.MTTF), MTTR: float(r.MTTR), Cost: float64(*r.Cost)}
	}
	return out, nil
}

// isCSV looks at the first line with content.
func isCSV(data []byte) bool {
	for _, line := range bytes.Split(data, []byte{'\n'}) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return bytes.IndexByte(line, ',') >= 0 && !bytes.ContainsAny(line, ":{[")
	}
	return false
}

// machinesCSV reads rows and the line of each.
func machinesCSV(file string, data []byte) ([]machineRow, []int, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment, r.TrimLeadingSpace = '#', true
	bad := func(line int, reason string) error { return poolError(file, fmt.Sprintf("line %d: %s", line, reason)) }
	header, err := r.Read()
	if err != nil {
		return nil, nil, poolError(file, csvReason(err))
	}
	line, _ := r.FieldPos(0)
	seen := map[string]bool{}
	for i, h := range header {
		h = strings.TrimSpace(h)
		header[i] = h
		known := false
		for _, k := range machineKeys[1:] {
			known = known || h == k
		}
		switch {
		case !known:
			return nil, nil, bad(line, "unknown column "+quote(h)+suggest(h, machineKeys[1:])+"; want "+machineForm)
		case seen[h]:
			return nil, nil, bad(line, "column "+h+" twice")
		}
		seen[h] = true
	}
	var rows []machineRow
	var lines []int
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return rows, lines, nil
		}
		if err != nil {
			return nil, nil, poolError(file, csvReason(err))
		}
		line, _ := r.FieldPos(0)
		var m machineRow
		for i, text := range cells {
			text = strings.TrimSpace(text)
			if text == "" {
				continue
			}
			var err error
			switch header[i] {
			case "name":
				m.Name = text
			case "availability":
				err = setNew(&m.Availability, text)
			case "mttf":
				err = setNew(&m.MTTF, text)
			case "mttr":
				err = setNew(&m.MTTR, text)
			case "cost":
				err = setNew(&m.Cost, text)
			}
			if err != nil {
				_, column := r.FieldPos(i)
				return nil, nil, bad(line, fmt.Sprintf("column %d: %s: %s; the line is %q", column, header[i], strip(err), strings.Join(cells, ",")))
			}
		}
		rows, lines = append(rows, m), append(lines, line)
	}
}

// csvReason is the message of encoding/csv with its line.
func csvReason(err error) string {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Sprintf("line %d, column %d: %v", parse.Line, parse.Column, parse.Err)
	}
	return err.Error()
}
