// Package lp answers what the optimum of a linear or mixed-integer program
// is, by whichever solver is there: it checks the structured algorithms of
// package alloc, and solves model files.
//
// A [Model] is built in code or read by [ReadMPS] or [ReadLP]; a [Solver]
// ([Go], [External]) returns a [Solution], which says in two separate
// statements why the solver stopped ([Reason]) and what its vector means
// ([Status]). Every backend passes the same conformance suite, and every
// vector is checked against the model before it is called feasible.
//
//	symbol  name                      unit
//	c_j     Variable.Cost             of the objective
//	l, u    Variable.Lower, .Upper    ±Inf for none
//	a_ij    Term.Coefficient
//	L, U    Row.Lower, .Upper         ±Inf for none
//	y_i     Solution.Dual             objective per unit of the row's bound
//
// [Go] is always there: the dense simplex method of gonum, for small models,
// with branch and bound above it. [External] hands a model file to an
// executable: HiGHS, CBC or GLPK.
//
// Left out: quadratic terms, semicontinuous variables, special ordered sets,
// warm starts, and HiGHS linked in process.
//
// Bibliography. MPS: the format as in the documentation of CPLEX and HiGHS.
package lp
