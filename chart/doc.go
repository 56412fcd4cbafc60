// Package chart answers: what does this series look like? It takes plain
// slices and writes a drawing as SVG, PNG or PDF. It knows no project type and
// is the only package that imports gonum.org/v1/plot, so that whoever embeds a
// model never links fonts.
//
// Pipeline: Chart (series, rules, marks, texts) -> checks -> ranges and ticks
// -> layout -> canvas of the format -> bytes.
//
//	symbol   name                 unit
//	X, Y     coordinates          whatever XLabel and YLabel say
//	Size     width and height     px of 1/96 inch; a PNG holds 2 × 2 dots per px
//
// Assumptions: the same chart gives the same bytes, whatever the date, the
// machine and the locale; everything is checked before anything is drawn, so
// that a point that is not finite is an error that names series and point.
//
// Colours are those of Okabe and Ito, which colour-blind readers tell apart;
// lines differ in their dashes too and points in their shape, so that a grey
// print is readable. Cells of a heat map have those of viridis, whose lightness
// grows with the value; a cell without a value is white and crossed. The legend
// stands above the data, the scale of colours at its right. Labels of rules and
// marks are put where they cover the least.
//
// Text is drawn with Liberation Sans: as outlines in a PDF and a PNG, where it
// cannot be searched; as text in an SVG, whose viewer falls back on Arial or
// Helvetica, which have the same widths.
//
// Left out: a second y axis (draw two panels), pie and three-dimensional
// charts, contour lines, interaction.
//
// Sources: M. Okabe and K. Ito, Color Universal Design (2008); S. van der Walt
// and N. Smith, A Better Default Colormap for Matplotlib (2015).
package chart
