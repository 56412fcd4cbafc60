// Package joblog answers: what load does this log hold, and which laws describe
// it? It turns logs of jobs into plain structs, streaming, and it can make such
// logs from the same laws. Counts of arrivals by interval are package traffic's.
//
//	log ──Summarize──▶ Summary, Job, Job, ... ──Samples──FitLaws──▶ Laws
//	Model ──Generate──▶ []Job ──WriteSWF──▶ bytes
//
//	symbol   name                        unit
//	n        usable jobs                 1
//	λ        arrival rate                jobs/s
//	S        run (service) time          s
//	m        processors of a job         1
//	λE[mS]   offered load                erlangs (busy processors)
//	z        peakedness E[m²S]/E[mS]     1
//	c²       squared coefficient of      1
//	         variation, variance/mean²
//	α, β     Weibull scale and shape     s, 1
//	a, b     mean and sd of ln S         1 (S in s)
//	l, m, h  two-stage knees of log2 size  1
//	q        share of the lower stage    1
//
// Assumptions. Jobs of one log share one arrival stream; gaps, run times and
// sizes are fitted as independent samples, with no daily cycle and no link
// between size and run time, although real logs have both. Peakedness holds
// for Poisson arrivals at an unlimited fleet. A log's run times are those of
// the machine it was recorded on.
//
// Left out: choice among laws beyond the ones the InterGrid model uses and the
// exponential baseline; tests of significance (the parameters come from the
// same data, so tabulated Kolmogorov-Smirnov levels do not hold); repair of
// damaged logs. Units and flags belong to the caller: all times are seconds.
//
// Bibliography.
// [SWF] Standard Workload Format 2.2, Parallel Workloads Archive.
// [InterGrid] Amini Salehi, Javadi, Buyya, J. Parallel Distrib. Comput. 2012,
// section 5.2.2 and table 2.
// [Lublin] Lublin, Feitelson, J. Parallel Distrib. Comput. 63 (2003) 1105.
// [Johnson] Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions,
// vol. 1, chapters 14, 19 and 21.
package joblog
