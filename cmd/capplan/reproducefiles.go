package main

import (
	"bytes"
	"encoding/csv"
	"fmt"

	"github.com/capplan/capplan/internal/papers"
)

// reproducedFiles are the files of --out.
func reproducedFiles(answers []*papers.Reproduction) ([]outFile, error) {
	var files []outFile
	for _, a := range answers {
		var rows, answer bytes.Buffer
		if err := csv.NewWriter(&rows).WriteAll(scalarRows(a.Rows)); err != nil {
			return nil, err
		}
		if err := writeJSON(&answer, a); err != nil {
			return nil, err
		}
		files = append(files, outFile{a.Name + ".csv", rows.Bytes()}, outFile{a.Name + ".json", answer.Bytes()})
		d := drawReproduction(a)
		if d == nil {
			continue
		}
		for _, format := range []string{"svg", "png"} {
			var b bytes.Buffer
			if err := d.write(&b, format); err != nil {
				return nil, fmt.Errorf("%s: %w", a.Name, err)
			}
			files = append(files, outFile{a.Name + "." + format, b.Bytes()})
		}
	}
	return files, nil
}

// reproducedNames are all files that --out ever writes.
func reproducedNames() []string {
	var names []string
	for _, r := range papers.Reproducibles() {
		for _, suffix := range []string{".csv", ".json", ".svg", ".png"} {
			names = append(names, r.Name+suffix)
		}
	}
	return names
}
