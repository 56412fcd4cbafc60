// Package qosgraf computes the figures and tables of QoS-GRAF, the allocation of jobs with
// backups, over generated batches, and puts what the text prints beside them.
//
// The number of resources is not printed, so that claims are judged for several. A claim in
// words is a number here, with the reading in its note.
package qosgraf
