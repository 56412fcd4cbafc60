// Package frailty answers how likely a machine of a fleet stays free through a
// window, by one hazard of age and hour for the whole fleet and one factor, its
// frailty, for each machine.
//
// Time goes in steps of the sampling period. While machine m is free its chance
// to fail within the next step, aged a steps since it last came free, in the
// hour of the week h, is
//
//	1 − exp(−θ_m λ(a, h)),   λ(a, h) = α_a β_h,   θ_m ~ Gamma(k, k)
//
// over age bins 0, 1, 2–3, 4–7, … and 48 hours, those of a weekday and those of
// a weekend. What is known of a machine is its [Record]: by cell (a, h) the
// steps at risk and the failures. Records add up, day by day and over shards,
// and [Fit] makes of those of a fleet a [Model]: α and β by iterative
// proportional fitting, k by marginal likelihood. [Model.Survival] then answers
// for a machine that is known, and for one that was never seen, whose frailty
// is the fleet's law: a machine with little history is shrunk to the fleet and
// never gets 0 or 1. [Model.Foresee] answers where the hazard itself is not known
// either, as beyond the ages that a short record has seen.
//
//	symbol   name                    unit
//	a        age                     steps since the machine came free
//	α_a      Model.Age               failures per step at risk
//	β_h      Model.Hour              1, mean 1 over the steps at risk
//	k        Model.Shape             shape of the gamma law of frailties
//	k_g      Model.GroupShape        shape of the law of groups
//	d_m      Machine.Failures        failures seen
//	L_m      Machine.Expected        Σ λ over the steps at risk, failures at θ = 1
//	ΔL       Model.Expected          the same over a window to come
//	θ_m      Machine.Frailty         1, mean 1 over the fleet
//	v        Ahead.Unsure            1, relative variance of ΔL
//
// Groups (a site, a batch, a zone) are a second level: θ_m = φ_g ψ_m with
// φ_g ~ Gamma(k_g, k_g), which the machines of a group share; [Model.Joint]
// then says how likely k of n machines stay free together.
//
// Assumed: frailties do not change, and given them machines fail independently
// of each other. A shock that hits many at once, a fleet's bad day, is only in
// the mean.
//
// Left out: files, time zones other than those of a calendar, repair times (see
// package smp), the load of a machine.
//
// Bibliography. Clayton: A model for association in bivariate life tables,
// Biometrika 65, 1978. Vaupel, Manton, Stallard: The impact of heterogeneity in
// individual frailty on the dynamics of mortality, Demography 16, 1979. Deming,
// Stephan: On a least squares adjustment of a sampled frequency table, Ann.
// Math. Stat. 11, 1940 (proportional fitting). Lawless: Statistical models and
// methods for lifetime data, 2003, 2.2.3 and 9.
package frailty
