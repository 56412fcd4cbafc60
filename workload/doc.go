// Package workload reads and writes the files in which questions are asked:
// scenarios, batches of jobs for allocation, clusters for routing, pools of
// machines, classes and stations of queues, and kernels of machines' states.
//
// Each reader returns a plain struct whose JSON tags are the keys of the file;
// a key that is not known, a value outside its bounds and a name given twice are
// errors with line, column and the form that is wanted. A batch comes from
// [ReadBatch] or [ReadBatchTables] and goes to [WriteBatch] or
// [WriteBatchTables]; its At method names the place of what is found wrong later.
//
// Logs of jobs are read by package joblog, traces of machines by package trace.
package workload
