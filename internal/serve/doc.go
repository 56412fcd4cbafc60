// Package serve answers the questions of the library over HTTP, and has a page on
// which they are asked.
//
//	POST /v1/NAME      a question in JSON (a scenario in YAML too), its answer in JSON
//	GET  /openapi.json what can be asked, and how answers look
//	GET  /healthz      whether the server answers
//	GET  /metrics      its requests, for Prometheus
//	GET  /             the page
//
// The answer is JSON, or by the header Accept a piece of HTML made from the same
// section as the text of a command (text/html), or a stream of events that tells
// how far a long question is (text/event-stream). Errors are JSON: 400 for a
// question that is not well put, with field, line and column; 422 for one that is
// and has no answer, with what binds and by how much.
//
// Questions are read into structs that hold data and no names of files, a
// scenario by a reader that knows no files: no request reaches the files of the
// machine, and nothing is written. As many questions are computed at a time as
// there are cores; some more wait for a moment and the rest are turned away with
// 429. A question ends with its time limit and when its client leaves.
//
// Requests that come from pages of other sites are refused ([http.CrossOriginProtection]
// and the header Host, against DNS rebinding). Whoever listens on more than the
// loopback gives a token.
package serve
