// Package numeric holds the numerical ground that the models of capplan stand
// on and that gonum does not offer: incomplete gamma ratios scaled so that
// neither a tail nor a large parameter costs accuracy, integrals of
// exp(bu − y(eᵘ − 1)), the bracketed root of a monotone function and the least
// integer that meets a monotone condition.
//
//	symbol   name                        meaning
//	D        Deviance                    n ln(n/a) + a − n ≥ 0
//	δ(n)     StirlingError               ln n! − ln(√(2πn) (n/e)ⁿ)
//	U(n, a)  LogUpperRatio               Γ(n+1, a) eᵃ a⁻ⁿ, the reciprocal of Erlang B
//	V(n, c)  LogBinomialRatio            the same for the binomial law, reciprocal of Engset
//	         DecayIntegrals, MeanLog1p   integrals of exp(bu − y(eᵘ − 1))
//	U, V     PowerIntegrals              integrals of e^(−t) ∏ (1 + t/aⱼ)^nⱼ
//	         Barycentric                 polynomial through values at given nodes
//	         WalkMax                     law of the maximum of a compound Poisson walk on a lattice
//	         GapSum                      1 − Σ xᵢ in twice the working precision
//	         Bracket, Root               root of a monotone function
//	         LeastInteger                least n that meets a monotone condition
//	         Indices                     0, 1, ..., n − 1
//
// Functions here are unchecked kernels: the caller has checked the domain at
// its own door. Each says for which arguments it holds.
//
// Bibliography: DLMF, the NIST Digital Library of Mathematical Functions,
// chapters 5, 7 and 8. Loader: C. Loader, Fast and accurate computation of
// binomial probabilities, 2000. Temme: N. M. Temme, The asymptotic expansion
// of the incomplete gamma functions, SIAM J. Math. Anal. 10, 1979.
// Chandrupatla: T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm
// for finding the zero of a nonlinear function, Adv. Eng. Software 28, 1997.
package numeric
