// Package ishare computes the tables and figures of iShare, predictions by a semi-Markov
// process, on traces that are given or on those of a generated laboratory.
//
// The traces of the paper were not published. Errors of prediction on a generated laboratory say
// nothing of its machines, so that a figure is evidence on traces that are given alone.
package ishare
