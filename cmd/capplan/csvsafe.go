package main

import (
	"slices"
	"strconv"
	"strings"
)

// cells returns the cells of a row as --csv-safe has them. Names of machines and
// jobs come from files of others: = + - @ at the beginning of a cell start a
// formula in a spreadsheet, which may open a page or run a program.
func (o *output) cells(row []string) []string {
	if !o.csvSafe || !slices.ContainsFunc(row, formula) {
		return row
	}
	safe := slices.Clone(row)
	for i, cell := range safe {
		if formula(cell) {
			safe[i] = "'" + cell
		}
	}
	return safe
}

// formula reports whether a spreadsheet takes a cell for a formula.
func formula(cell string) bool {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return false
	}
	_, err := strconv.ParseFloat(cell, 64)
	return err != nil
}
