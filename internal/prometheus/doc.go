// Package prometheus answers: what did this Prometheus server see? It asks a
// server, or whatever speaks its HTTP API (Thanos, Mimir, VictoriaMetrics), for a
// stretch of time, and makes of the answers what the commands read from files:
//
//	Access ──Dial──▶ Client
//	Client ──Rate──────▶ traffic.Record, arrivals per second
//	       ──Means─────▶ traffic.Service, mean of durations that a query gives
//	       ──Histogram─▶ traffic.Service, of a classic or a native histogram
//	       ──Machines──▶ a trace of machines, one for each series of the CPU
//
//	name   meaning                                         unit
//	End    Unix time, up to which is asked                 s
//	Since  how long before End                             s
//	Step   distance of the values                          s
//
// A value at time t is that of the step before t, as rate(...[5m]) is at a step of
// 5 minutes. A server gives at most 11,000 values of a series at a time: longer
// stretches are fetched in pieces.
//
// Nothing is repaired in silence: values that are missing or not finite, series
// that were added up, a record that begins late, and what the server itself warns
// of, are said in notes. Credentials go to the server that was named and nowhere
// else: where it sends on to another place, that is an error.
//
// Errors: *ask.InputError by the name of the field for what can be asked better,
// *Error for a server that cannot be reached, will not answer or answers
// something else.
//
// Left out: alerts, rules, metadata, remote read, and a PromQL parser: the server
// says what is wrong with a query.
package prometheus
