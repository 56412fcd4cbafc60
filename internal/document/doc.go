// Package document reads YAML and JSON into structs, strictly, and knows the
// line and column of every value, so that a check made later can still say where
// a wrong value stands.
package document
