// Package trace answers: when was this machine up, how loaded was it, and how
// long did it live? It reads what monitors, archives and clouds record of
// machines into plain structs, streaming.
//
//	file, folder or archive ──FindMachines──▶ parts
//	parts ──ReadMachines──▶ a MachineSink for each machine
//
//	kind        holds                                       read alone by
//	host        samples of CPU share and free memory, CSV   ReadHostTrace
//	cloudwatch  samples of CPU share, CSV                   ReadCloudWatch
//	planetlab   samples of CPU share every 5 minutes
//	fta         intervals up and down of many nodes         ReadFTA
//	lanl        failures of the Los Alamos clusters         ReadLANL
//	spot        intervals of spot instances, JSON           ReadSpot
//	price       spot prices, up while a bid is above        ReadSpotPrices
//	durations   lifetimes, one a line                       ReadDurations
//
// [SniffTrace] tells the kind by its first bytes. [OpenHostTrace] writes a
// trace of samples.
//
// Times are unix seconds unless a reader says otherwise. What is malformed is
// counted by reason, kept with its text up to five times and left out; with
// Strict it is an error. A file of which nothing is usable is always one.
//
// Left out: repair of damaged traces; a judgement of what is a failure, which is
// that of the packages reliability and smp.
package trace
