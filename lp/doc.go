// Package lp answers what the optimum of a linear or mixed-integer program
// is, with any solver that is available. It solves model files, and its solutions
// check the structured algorithms of package alloc.
//
// A [Model] is built in code or read by [Parse]. A [Solver] ([Go], [External],
// and HiGHS linked in package highs) returns a [Solution], which says separately
// why the solver stopped ([Reason]) and what its vector means ([Status]). Every
// backend passes the conformance suite of package lptest. Every vector is checked
// against the model before it is called feasible ([Checked]), including the vector
// to start from (Settings.Start).
//
//	symbol  name                      unit
//	c_j     Variable.Cost             of the objective
//	l, u    Variable.Lower, .Upper    ±Inf for none
//	a_ij    Term.Coefficient
//	L, U    Row.Lower, .Upper         ±Inf for none
//	y_i     Solution.Dual             objective per unit of the row's bound
//	d_j     Solution.ReducedCost      objective per unit of the variable's bound
//
// [Go] is always available: the dense simplex method of gonum, for small models,
// with branch and bound on top. [External] passes a model file to an
// executable: HiGHS, CBC, GLPK or SCIP. Package highs is the fastest; it needs
// cgo and the build tag highs.
//
// Left out: quadratic terms, semicontinuous variables, special ordered sets,
// and a basis to start from.
//
// Bibliography. MPS: the format as in the documentation of CPLEX and HiGHS.
package lp
