// Package page holds what is shown, whatever the question was: sections with
// facts, tables and figures, a document of several of them, and the writers for
// text, HTML and CSV. Every form is written from the same section.
//
//	Section ──WriteText──▶ text, in columns that line up
//	        ──WriteHTML──▶ a part of a page
//	        ──Data───────▶ CSV, a file for each table of numbers
//	        ──Draw───────▶ figures, drawn when they are asked for
//
// A section is made once, by package report, and knows nothing of the form in which it will
// be read. Figures are made by a function, since a drawing takes longer than all the rest and
// text has none; the same holds for data of millions of rows, which are walked through and
// not kept.
//
// A table that is long shows its first rows and says where the others are; CSV has them all.
package page
