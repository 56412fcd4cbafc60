// Package survival answers: how does work survive machines that fail or leave?
//
//	LifetimeQuestion   -> LifetimeAnswer    which law do these lifetimes follow?
//	ReplicasQuestion   -> ReplicasAnswer    how many replicas, of one kind or of a pool?
//	EpochQuestion      -> EpochAnswer       how often to reschedule? (with the chain from replicas to link)
//	LinkQuestion       -> LinkAnswer        what does the bottleneck link allow?
//	CheckpointQuestion -> CheckpointAnswer  when to checkpoint, or is replication better?
//
// The questions follow one another: lifetimes of a trace give the mean times to
// failure and to repair (package planner/tally), these the replicas that keep a
// job alive with a given chance, the replicas the rate at which jobs have to be
// moved, that rate the scheduling epoch, and epoch and replicas the load on the
// link that jobs move over. An [EpochChain] asks them all at once.
//
// The formulas are those of package reliability, after PCU section 4.6; times
// are in seconds, rates per second, bandwidth in bit/s, probabilities 0 to 1.
// An availability that no number of replicas reaches is an *ask.InfeasibleError
// that says what stands in the way.
//
// The package knows no files and no flags.
package survival
