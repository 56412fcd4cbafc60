// Package cluster answers: what does a scheduler have to be given, so that it does
// a work in shards and then merges them?
//
//	[Job] ──▶ [Job.Slurm]       a shell script: an array, and a merge that waits for it
//	      ──▶ [Job.Kubernetes]  a manifest: an Indexed Job, and a Job that merges
//
// The texts are for the user to look at and to submit; nothing is submitted here.
// Whoever knows his cluster changes what he likes: a task needs no more than its
// words, an index and a folder that all tasks see.
package cluster
