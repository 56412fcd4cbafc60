// Package table reads CSV with a header: cells by the name of their column, each
// with its place, and rows into the fields of a struct.
//
// Cells are read by the types of their fields, as a value behind a flag or in YAML would be:
// a table is another way to write a list of the same structs. A header may leave out columns
// that have a default, in any order; a column that is unknown or comes twice is an error at
// its place. Lines that are blank or begin with # are passed over.
//
// Lines without quotation marks, which nearly all are, are cut by hand, for the sake of tables
// of millions of rows; the others go through encoding/csv.
//
// Left out: cells that hold an end of line, and separators other than the comma.
package table
