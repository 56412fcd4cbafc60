// Package allocation answers: which job runs on which resource, and who takes
// over when one fails?
//
//	Question         -> Answer          primaries and backups of a batch of jobs, and what they earn
//	Verify           -> VerifyAnswer    does an assignment hold what it says?
//	GenerateQuestion -> GeneratedBatch  batches by the settings of QoS-GRAF section 5.2
//	StudyQuestion    -> StudyAnswer     how do methods compare over many batches?
//	ModelQuestion    -> ModelAnswer     the optimum of any linear or integer program
//
// A job asks for a level of service on each of its dependencies and pays by
// level; a resource serves one dependency and keeps a share of its capacity
// for backups. The methods are those of package lp/alloc: QoS-GRAF's
// heuristics, rounding of the linear program, and the exact program.
//
// An answer carries bounds beside its revenue, so that one sees what a better
// method could still earn, and the losses after failures of resources. Revenue
// is in the units of the batch, demand and capacity in one unit for each
// dependency.
//
// The package knows no flags. [ReadBatch] and [WriteBatch] read and write batches.
package allocation
