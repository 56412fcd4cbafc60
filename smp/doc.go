// Package smp answers how likely a host stays free for guest work through a
// time window, from a record of its states, by a discrete-time semi-Markov
// process: the next state, and the time until it is entered, depend on the
// present state and on how long it has lasted.
//
// A record goes through these types. A [Labeller] turns samples (load, memory,
// gaps) into [Run]s of the five iShare states; a [History] holds them and cuts
// the same clock [Window] out of many [Day]s. [EstimateToFailure] makes
// a [Kernel] of what the windows show, for the time to the first failure;
// [EstimateCensored] for what goes on after it, [EstimateCounts] as the paper,
// [EstimateParametric] with laws that go beyond the data. [Kernel.Reliability]
// solves for all horizons at once, and [Reliability.From] answers for a
// [Start] with the age of its state; [Kernel.Hazards] is what a copy of the
// kernel needs to do so too. [ReliabilityBand] says how far to trust it, and
// [Evaluate] how well it predicted days that it was not estimated from (for real traces:
// EVALUATION.md). The engine knows no five states: any [Space] does.
//
// Rooms beside this one: smp/baseline has the time series that a prediction has to
// beat, smp/ranking chooses hosts for jobs by their reliability and replays
// records, smp/frailty fits one model to a whole fleet.
//
//	symbol    name                 unit
//	d         Period               s per step
//	q_ij(l)   Atom.Prob            chance of i → j after l steps
//	S_i(u)    Kernel.Survival      chance that a sojourn lasts longer than u steps
//	u         Start.Elapsed        steps already spent in the state
//	R(k), TR  Curve.Reliability    chance of no failure state in k steps
//	F(k)      Curve.Failure        1 − R(k)
//	A(k)      Availability         chance to be up at step k, repairs included
//	MTTF      Kernel.MTTF          steps
//
// Assumed: windows of the same clock time on days of the same kind are draws
// of one process, days are independent of each other, and a step is short
// against a stay. A window of n steps shows n+1 samples.
//
// The equations are solved in one of two ways, chosen by an estimate of the
// cost. With m atoms, as an estimated kernel has, the recursion itself takes
// n·m additions of non-negative terms and is exact to rounding. A dense kernel
// is solved block by block with real Fourier transforms, O(n log² n). Plain
// transforms are good to 1e-16 of the largest value only, so all series are
// first multiplied by θ^−k, θ the rate at which the solution decays: R keeps
// 1e-13 of itself at 1e-27.
//
// Departures from the paper, as printed: the limits of the sums in eq. 2 and 4
// (see [Reliability]); sojourns that the end of a window cuts are not dropped
// but censored (see [EstimateCensored]; the paper's way is [EstimateCounts]).
//
// Left out: reading and writing files, drawing, continuous time, dependence
// between hosts.
//
// Bibliography. iShare: X. Ren, S. Lee, R. Eigenmann, S. Bagchi, Prediction of
// resource availability in fine-grained cycle sharing systems, J. Grid
// Computing 5, 2007. Barbu, Limnios: Semi-Markov chains and hidden semi-Markov
// models toward applications, 2008. Kalbfleisch, Prentice: The statistical
// analysis of failure time data, 2002. Tsai, Jewell, Wang: A note on the
// product-limit estimator under right censoring and left truncation,
// Biometrika 74, 1987. Grassmann, Taksar, Heyman: Regenerative analysis and
// steady state distributions for Markov chains, Oper. Res. 33, 1985. Hairer,
// Lubich, Schlichte: Fast numerical solution of nonlinear Volterra convolution
// equations, SIAM J. Sci. Stat. Comput. 6, 1985 (the blocks). Nakagawa, Osaki:
// The discrete Weibull distribution, IEEE Trans. Rel. 24, 1975.
package smp
