// Package cover answers: which numbers of machines of a few kinds are worth
// enough together, for the least money?
//
//	minimise   Σ pᵢ nᵢ + s·(R − Σ wᵢ nᵢ)⁺
//	subject to Σ wᵢ nᵢ ≥ R  (without s),  lᵢ ≤ nᵢ ≤ uᵢ,  Σ_{i counted} nᵢ ≤ D,  n whole
//
//	symbol  name         unit
//	wᵢ      Worth        any, that of the need
//	pᵢ      Price        money, any
//	lᵢ, uᵢ  Least, Most  1
//	R       Need         that of the worth
//	D       MostCounted  1
//	s       Shortfall    money per missing unit of worth; 0: nothing may be missing
//
// It is the covering form of the bounded knapsack, solved by branch and bound
// over the kinds in order of price per worth: the relaxation is then filled
// greedily, the limit D enters by its best multiplier, and where all prices are
// multiples of one sum (a cent) every bound is rounded up to it. The work does
// not depend on how large R and the limits are.
//
// Kinds whose price per worth is nearly but not quite equal can hold off a
// proof; the search then ends after MaxNodes nodes with the best found, the
// bound, and Proven false.
//
// Sources: Martello, Toth, Knapsack Problems, 1990, chapters 2 and 3; Geoffrion,
// Lagrangean relaxation for integer programming, Math. Prog. Study 2, 1974.
package cover
