package allocation

import "reflect"

// What a batch takes at the greatest, from its file to the answer, in bytes: of a level more than twice what
// its numbers do, since the steps between levels are sorted.
const (
	resourceRoom = 110
	jobRoom      = 190
	needRoom     = 40 // of a job, by dependency
	levelRoom    = 115
	listRoom     = 450 // of eligible resources, and
	listedRoom   = 45  // of each of them
)

// MostBatchRoom bounds the sum of them for a batch that is read, so that the run stays below 1 GB: a million
// jobs of one dependency and four levels on MostResources are well within.
const MostBatchRoom = 800_000_000

// Messages for a file with more in all.
const (
	tooMuchBatch = "jobs, levels and resources that take more than 800 MB"
	wantBatch    = "fewer of them, or parts of the batch: a resource takes 110 bytes, a job 190 and 40 for each of " +
		"its dependencies, a level 115, a list of eligible resources 450 and 45 for each of them, and a byte of a " +
		"name of a job or resource beyond 16, or of another name beyond 64, 3"
)

// nameRoom is what names take beyond what others do: they are held for each time that they are written, those of up to
// some bytes elsewhere or once. An answer that is verified holds them twice more.
func nameRoom(upTo int, names ...string) (n int) {
	for _, name := range names {
		n += 3 * max(0, len(name)-upTo)
	}
	return n
}

// Names of other lengths take no more: those of jobs and resources, and those that come again.
const shortName, sharedName = 16, 64

// room is what a resource takes.
func (r *BatchResource) room() int {
	return resourceRoom + nameRoom(shortName, r.ID, r.RiskGroup) + nameRoom(sharedName, r.Dependency, r.Machine)
}

// room is what a job takes.
func (j *BatchJob) room() int {
	n := jobRoom + nameRoom(shortName, j.ID) + nameRoom(sharedName, j.Class)
	for _, need := range j.Levels {
		n += needRoom + levelRoom*len(need.Value)
	}
	for _, list := range j.Eligible {
		n += listRoom + listedRoom*len(list.Value) + nameRoom(sharedName, list.Value...)
	}
	return n
}

// roomOf is what a list of jobs or resources takes.
func roomOf(list reflect.Value) int {
	n := 0
	switch list := list.Interface().(type) {
	case []BatchResource:
		for i := range list {
			n += list[i].room()
		}
	case []BatchJob:
		for i := range list {
			n += list[i].room()
		}
	}
	return n
}
