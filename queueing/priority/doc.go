// Package priority answers how long each class of customers waits where one
// class goes before another, on one server or on many.
//
// A [Queue] has classes from the first to the last to be served; its Figures
// say for each wait, response and number. One server is exact for any service
// times (Cobham), and so are many servers where all classes have one exponential
// service. Two classes that differ, on up to ten servers, are solved as a chain;
// what lies beyond is scaled from one server (Bondi, Buzen), carries an
// Approximation with the errors that were measured, and warns.
//
//	symbol   name           unit
//	λ_k      ArrivalRate    1/s
//	E[S_k]   ServiceTime    s
//	c²_k     ServiceSCV
//	W_k      MeanWait       s
//
// Assumed: Poisson arrivals, steady state, order of arrival inside a class. A
// class whose work and that of the classes above it is too much has no steady
// state, while those above may: its figures say so (a *queueing.SaturatedError).
//
// Left out: percentiles by class, patience.
//
// Bibliography. Cobham: Priority assignment in waiting line problems, Oper.
// Res. 2, 1954. Bondi, Buzen: The response times of priority classes under
// preemptive resume in M/G/m queues, SIGMETRICS 1984.
package priority
