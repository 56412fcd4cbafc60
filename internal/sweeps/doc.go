// Package sweeps answers: what does one question come to at many points?
//
// One or two flags are swept, each an [Axis] of values as they would be typed.
// [Lay] makes a [Row] for each point; a [Sweep] answers the rows on all cores and
// hands them to a [File] in order as they are finished, so that a sweep which was
// cut short, wherever that was, goes on where the file ends and comes to the same
// bytes. What is drawn of a million rows is what can be seen: see [ThinLine].
//
// The package knows no command: a point is answered by a function.
package sweeps
