// Package noneleft tells the chance that none of n tasks is left if u are left on average, each independently of
// the others: (1 − u/n)^n. Laws ask for it in each cell of each course, so that there is a table too.
//
//	Chance(n, u)    one chance, to rounding
//	Chances(n, u)   many, to 1e-9
//	ByTable(n, u)   many, to 1e-7, of FewestByTable tasks or more
package noneleft
