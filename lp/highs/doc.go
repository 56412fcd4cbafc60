// Package highs is [HiGHS] in process, as an [lp.Solver]: the fastest backend
// for large linear and integer programs.
//
// It is linked by cgo, found by pkg-config, and only with the build tag highs:
//
//	eval "$(lp/highs/install.sh)"
//	go build -tags highs ./cmd/capplan
//
// Without the tag the package compiles to a stub without cgo, [Linked] is
// false, and [Solver] returns [ErrNotLinked]. The binding is thin: create,
// pass the model by rows, options, a solution to start from, run, read the
// solution. Everything else, such as reduced costs and the check of the vector,
// is lp.Checked's, so that another binding can take its place by bind.go alone.
//
// One run uses one thread and is deterministic; runs may go on side by side.
//
// [HiGHS]: https://highs.dev
package highs
