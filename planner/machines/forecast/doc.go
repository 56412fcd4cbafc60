// Package forecast answers: how likely do machines of a fleet stay free, by any of
// the models that are scored?
//
//	Learning         -> Fleet           what is known of a fleet, to be kept in a file
//	Question         -> Answer          how likely is this machine free, or which of all?
//	JointQuestion    -> JointAnswer     how likely do k of these n machines stay free?
//	ReplicasQuestion -> ReplicasAnswer  on which of them to put copies of a job?
//
// A [Learning] takes the records of machines one by one and keeps a few kilobytes
// of each. The [Fleet] that it makes is the hazard of package smp/frailty with the
// counts that it rests on, so that one more day can be added to it without the
// records of before.
//
// Times are unix seconds, lengths seconds. A window is that of the next day of its
// kind after the record.
package forecast
