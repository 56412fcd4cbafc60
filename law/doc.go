// Package law holds each law of times once: its survival, density, hazard, mean,
// quantile and draws, and its fit to durations that may be right-censored. It
// answers: which law do these lifetimes follow, and what does it say of others?
//
//	durations ──FitLaws──▶ Fit, Fit, ... by AIC
//	durations ──KaplanMeier──▶ a survival curve without a law
//
//	law                  survival P(X > t)                   parameters
//	[Exponential]        e^(-t/Scale)                        Scale, the mean
//	[Weibull]            exp(-(t/Scale)^Shape)               Shape, Scale
//	[LogNormal]          Φ((Mu - ln t)/Sigma)                Mu, Sigma of ln t
//	[Gamma]              Q(Shape, t/Scale)                   Shape, Scale
//	[LogLinear]          through given quantiles             P, T, the quantiles
//
// [Equilibrium] is the law of what is still to come of an interval that covers a
// given moment.
//
// [TwoStage] is the law of job sizes in the DAS-2 model. Laws of service times
// with their transforms, of mean and SCV, are in package queueing.
//
// Times are in any one unit. Probabilities near 0 keep their relative accuracy:
// laws speak in logarithms. Data never panic: an argument outside its domain is a
// [*DomainError], a sample without an estimate an error that wraps ErrNoEvents or
// ErrDegenerate.
//
// Left out: truncation from the left, censored intervals, covariates, confidence
// bands simultaneous over time.
//
// Bibliography: Lawless, Statistical Models and Methods for Lifetime Data, 2nd ed.
// 2003; Kalbfleisch & Prentice, 2nd ed. 2002; Burridge 1981; DLMF (dlmf.nist.gov).
package law
