// Package lp answers what the optimum of a linear or mixed-integer program
// is, by whichever solver is there: it checks the structured algorithms of
// package alloc, and solves model files.
//
// A [Model] is built in code or read by [Parse]; a [Solver] ([Go], [External],
// and HiGHS linked in package highs) returns a [Solution], which says in two
// separate statements why the solver stopped ([Reason]) and what its vector
// means ([Status]). Every backend passes the conformance suite of package
// lptest, and every vector is checked against the model before it is called
// feasible ([Checked]), the one to start from (Settings.Start) too.
//
//	symbol  name                      unit
//	c_j     Variable.Cost             of the objective
//	l, u    Variable.Lower, .Upper    ±Inf for none
//	a_ij    Term.Coefficient
//	L, U    Row.Lower, .Upper         ±Inf for none
//	y_i     Solution.Dual             objective per unit of the row's bound
//	d_j     Solution.ReducedCost      objective per unit of the variable's bound
//
// [Go] is always there: the dense simplex method of gonum, for small models,
// with branch and bound above it. [External] hands a model file to an
// executable: HiGHS, CBC, GLPK or SCIP. Package highs is the fastest; it needs
// cgo and the build tag highs.
//
// Left out: quadratic terms, semicontinuous variables, special ordered sets,
// and a basis to start from.
//
// Bibliography. MPS: the format as in the documentation of CPLEX and HiGHS.
package lp
