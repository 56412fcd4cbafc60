// Package bot simulates bags of tasks on machines that come and go, under three
// servers, with cloud workers that SpeQuloS starts. It answers: how long does the
// bag take, how much of that is its tail, and what do cloud workers make of it?
//
//	bags.Bag + hosts.Platform + Server ──▶ Case ──Simulate──▶ Outcome
//	  └ + spequlos.Strategy ─────────────────┘    └─Study──▶ figures, by sim.Run
//
// Workers pull. One that has nothing to do asks when it comes, when it has
// finished, and again and again while it idles; tasks are served first come first
// served.
//
//	server      a machine leaves                       a result is missing
//	XWHEP       its task is lost                       900 s after the last keep-alive, of one a minute
//	BOINC       its task waits there for its return    after a day; 3 results are given out, 2 make a task
//	Checkpoint  its task is queued as last saved       known at once
//
// Each machine is one entity with random numbers of its own, drawn as far as a run
// goes, so that with cloud workers and without the same machines do the same.
// What idle workers ask in vain costs no events: when work appears among K of them
// the times at which they would ask next are drawn as order statistics, one at a
// time, each from the law of what is left of the gap between two asks.
//
// Readings where the paper is silent: the first copy of a task to come back wins
// and others run on to their end; one result of the cloud completes a task, also
// where two are asked for; a cloud worker is paid from its start, boot included;
// an idle BOINC worker asks again within a day, evenly, but all that are there at
// the submission ask within the first gap of a minute; tasks that arrive after the
// start of Duplicate's workers are copied as they come; Reschedule copies the
// running task with the fewest copies in the cloud, that longest assigned first; a
// strategy starts workers once.
//
// Left out: transfer times, checks of results, several bags at once.
//
// Bibliography: Delamare, Fedak, Kondo, Lodygensky, SpeQuloS, INRIA RR-7890, 2012.
package bot
