// Package sweeps answers: what does one question come to at many points?
//
// One or two flags are swept, each an [Axis] of values as they would be typed.
// [Grid.Rows] makes a [Row] for each point; a [Sweep] answers the rows on all cores and
// hands them to a [File] in order as they are finished, so that a sweep which was
// cut short, wherever that was, goes on where the file ends and comes to the same
// bytes. What is drawn of a million rows is what can be seen: see [ThinLine].
//
// The package knows no command: a point is answered by a function.
//
//	Axis    what one flag is given, one value after the other
//	Grid    the points of two axes
//	Row     a point with what it came to, or why it has no answer
//	Rows    all of them, Held in memory or Kept by shards
//	File    the CSV that grows row by row
//	Kept    rows that each walk reads anew, since they may be more than memory holds
//
// A point without an answer has a row that says why and does not end the sweep. Rows are written
// in the order of the points, whichever core is done first, which is why a row may wait for one
// before it.
//
// A file that is resumed has to be of the same sweep: its columns, its axes and an [Identity]
// of all that the command reads are compared first.
package sweeps
