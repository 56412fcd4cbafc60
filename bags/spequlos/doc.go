// Package spequlos answers: when does a bag of tasks on machines that leave need
// help from a cloud, how much, and when has it had enough? It is SpeQuloS as a
// library: a middleware reports what its bag does, and is told to start or stop
// cloud workers.
//
//	events of a bag ──▶ Progress ──▶ Strategy ──▶ start k workers ┐
//	                       │                                      ├──▶ Scheduler.Tick ──▶ Decision
//	deposits ──▶ Bank ──▶ Order ──▶ hours that are left ──────────┘
//	                       │
//	past bags ──▶ Archive ─┴──▶ Prediction
//
//	paper               here          meaning
//	Information         Progress      counts and times of assigned and completed tasks
//	                    Archive       the same of past bags, by environment
//	Credit System       Bank, Order   accounts, what a bag may spend, bills
//	Oracle              Strategy      when, how many and how; Archive.Predict
//	Scheduler           Scheduler     starts, bills and stops workers
//
// Times are seconds since the bag was submitted. Nothing here starts a thread,
// opens a file or looks at the clock: [Scheduler.Tick] is called with the time,
// and says when it must be called next. Values are for one goroutine.
//
// Three formulas of the paper are put right. A top-up to a cap deposits cap −
// balance: max(6000, 6000 − spent) is always 6000. Conservative starts min(S/t,
// S) workers: the printed maximum overspends. The tail slowdown is actual over
// ideal time.
//
// Left out: the connection to a cloud or a middleware, the choice among bags that
// compete for one cloud.
//
// Bibliography: Delamare, Fedak, Kondo, Lodygensky, SpeQuloS, INRIA RR-7890,
// 2012.
package spequlos
