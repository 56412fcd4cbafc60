// Package paper holds what a figure or table of any paper comes to: the question, the rows
// of the answer with what is printed beside them, the verdict on each printed number, and
// how the whole is shown and drawn.
//
//	Question ──Reproduce──▶ Reproduction ──Section──▶ text, tables and panels
//
// The rooms of the papers fill rows by [Reproduction.Compare], [Reproduction.Says] and
// [Reproduction.Plot]; none of them knows another.
package paper
