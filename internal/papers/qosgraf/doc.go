// Package qosgraf computes the figures and tables of QoS-GRAF, the allocation of jobs with
// backups, over generated batches, and puts what the text prints beside them.
package qosgraf
