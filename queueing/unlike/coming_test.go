package unlike

// independent states machines that are independent.
func independent(machines, up, speed, perJob float64) Coming {
	return Coming{
		Machines: machines,
		Up:       up,
		Speed:    speed,
		PerJob:   perJob,
	}
}
