// Package table reads CSV with a header: cells by the name of their column, each
// with its place, and rows into the fields of a struct.
package table
