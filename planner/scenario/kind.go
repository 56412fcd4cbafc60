package scenario

// A MachineKind says whose a machine is.
type MachineKind string

// The kinds. The empty one is dedicated.
const (
	Dedicated MachineKind = "dedicated" // reliable, on this side of the link
	Public    MachineKind = "public"    // comes and goes; jobs on it are replicated
)
