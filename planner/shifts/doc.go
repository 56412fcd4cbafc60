// Package shifts answers: which shifts cover this need of people, for the least
// paid hours?
//
// A day or a week is cut into slots, and a kind of shift that begins at a slot
// covers those in which its people work and are not on a break. Where the need ends
// within a day, as that of opening hours does, nobody is asked for until the day is
// over. How many x_j begin each shift j is the integer program
//
//	min Σ_j p_j x_j,   Σ_{j covers t} x_j ≥ ⌈n_t/(1 − s)⌉ for every slot t,   x_j ≥ 0 whole
//
//	symbol  name                  unit
//	n_t     Need                  people at work in slot t
//	s       Shrinkage             share of present people who are not at work
//	p_j     paid time, weighted   h
//
// [Plan] answers a [Question]; [Read] reads the kinds of shift from a file. The
// bound is that of the linear relaxation, by prices of the slots that are checked
// against every shift; the roster comes from diving in that relaxation and from
// branch and bound, and is checked slot by slot in whole numbers.
//
// Left out: who works which shift, rest between shifts, days off, skills.
//
// Source: Dantzig, A comment on Edie's "Traffic delays at toll booths",
// Operations Research 2, 1954.
package shifts
