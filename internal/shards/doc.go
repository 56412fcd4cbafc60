// Package shards answers: how do many machines share one work, and how do their
// parts become the answer that one machine would have given?
//
//	--shard 3/16 ──▶ [Place] ──▶ [Keeper] ──▶ shard-0003-of-0016.jsonl
//	all sixteen  ──▶ [Open]  ──▶ [Folder] ──▶ the same fold, the same bytes
//
// Piece i of n shards belongs to shard i mod n + 1, so that work which grows along
// a range is spread evenly. A [Keeper] does the pieces of its shard and writes
// them down in order; a [Folder] gives those of all shards back, in order, to the
// fold that one machine runs: see package pieces.
//
// The file of a shard is a line of JSON for each thing:
//
//	{"capplan_shard":1, "version", "command", "inputs", "work", "pieces", "seed", "shard", "of", "started", "host"}
//	{"word":0,"text":"..."}      a text that pieces repeat, before the first of them
//	{"piece":2,"value":...}      in order
//	{"work":"...","pieces":9}    where the command has a second work
//	{"end":21,"crc32c":"...", "ended", "seconds", "resumed"}
//
// It stands as ...jsonl.part until it is whole; a run after one that was killed
// goes on with the lines that are whole. The checksum finds what was cut or
// changed on its way from machine to machine.
//
// What can differ between shards of one work is refused by name when they are
// merged: see [Error].
package shards
