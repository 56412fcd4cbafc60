package papers

// uncompared says of what is computed without a verdict why there is none: every
// claim that a paper prints is compared, or has its reason here.
var uncompared = map[string]string{
	"pcu-figure-6": "drawn without numbers, and what the text says is of the simulated curve: " +
		"see pcu-figure-6-simulated",
	"intergrid-sizes":     leasesAreSimulated,
	"intergrid-durations": leasesAreSimulated,
	"intergrid-external":  leasesAreSimulated,
	"intergrid-local":     leasesAreSimulated,
	"intergrid-readings":  "no printed number is of these policies and readings: they are beyond the paper",
	"qos-graf-figure-8d": "drawn without numbers, and what the text reads off it is a loss by class: " +
		"see qos-graf-figure-8c",
	"approximations": "it is a table of this program, not of a paper",
}

// leasesAreSimulated is the reason of what the model of InterGrid's section 4 says
// of the workloads of section 5.
const leasesAreSimulated = "the paper prints no share and no response by its model; its numbers are of simulated " +
	"leases: see intergrid-figure-5a to 8h"
