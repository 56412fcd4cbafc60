// Package ishare computes the tables and figures of iShare, predictions by a semi-Markov
// process, on traces that are given or on those of a generated laboratory.
package ishare
