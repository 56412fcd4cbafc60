// Package report answers: how does one read an answer? It makes one [page.Section] of
// each: the answer in a line, then facts, tables and sentences in order, notes,
// formulas, data for programs, and figures. All that shows an answer is written
// from its section, so that a command, a page and a folder of files say the same.
//
//	sizing.SizeAnswer ──Size──▶ Section ──WriteText──▶ what capplan size prints
//	                                    ├─Data────────▶ its CSV
//	                                    └─Draw────────▶ its plot
//	planner.PlanAnswer ──New──▶ Document, a section for each question
//	                                    ├─WriteHTML───▶ report.html
//	                                    ├─Data────────▶ mix.csv, frontier.csv, ...
//	                                    └─Draw────────▶ plots/mix.svg, ...
//
// What can be drawn of an answer the answer knows: it is an [ask.Plotter]. [page.Section.Figures]
// lays a plot out for people, in units that suit its values: fractions in percent,
// times and rates in the unit in which they are handy numbers.
//
// The page needs no network and no script. Drawings are inline SVG, one for a
// wide screen and paper and one for a phone, whose colours are those of the
// page, light or dark. The same answer gives the same bytes: there is no clock
// in it, only what the caller says.
//
// Words and numbers are those of people, in people's units (package say); JSON has
// the full precision and base units.
//
// Left out: interaction, languages other than English, and the conversion of currencies.
package report
