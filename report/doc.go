// Package report answers: how does one read a plan? It turns the answer of
// [planner.Plan] into a document (the answer first, then a section for each
// question with its figures, tables and drawings) and writes that as a page of
// HTML that stands by itself, as tables in CSV and as files of drawings.
//
//	planner.PlanAnswer ──New──▶ Document ──HTML──▶ report.html
//	                                     ├─Tables──▶ mix.csv, frontier.csv, ...
//	                                     └─Figures─▶ plots/mix.svg, plots/mix.png, ...
//
// The page needs no network and no script. Drawings are inline SVG, one for a
// wide screen and paper and one for a phone, whose colours are those of the
// page, light or dark. The same answer gives the same bytes: there is no clock
// in it, only what the caller says.
//
// Words and numbers are those of people, in people's units; JSON has the full
// precision and base units.
//
// Left out: interaction, other languages than English, currencies (money is a
// number per hour, in whatever currency the prices were).
package report
