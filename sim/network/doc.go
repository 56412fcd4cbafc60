// Package network answers: what do customers that go from station to station come
// to, and do the product forms of package queueing hold? It simulates
//
//	closed: N_k customers of a class think, and go round the stations
//	open:   Poisson arrivals at stations, routed at random until they leave
//
//	symbol  name                          unit
//	c_i     [Station.Servers]             servers
//	D_ik    [Class.Demands]               s, exponential, of a visit
//	Z_k     [Class.Think]                 s, exponential
//	γ_ik    [Class.Rates]                 1/s
//	p_ij    [Class.Routes]
//
// Stations serve in order of arrival where all their classes have one mean, as the
// product form wants it, and else share their servers among all who are there, at
// most one to each.
//
// Since all times are exponential the next event is drawn from the rates of all that
// may happen; each customer is followed, so that responses are those of customers
// and not by Little's law. Every run ends with an error where customers were lost.
//
// Left out: other laws, blocking, priorities, customers that change their class.
package network
