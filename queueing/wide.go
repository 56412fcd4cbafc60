package queueing

// Wide is the G/G/c queue of jobs that need several servers at once, scaled to
// single-server slots: a slot is z servers, z the Peakedness of package
// queueing/loss, so that the number of busy servers in an unlimited fleet has the
// same mean and variance as z times that of the slots (Hayward's equivalence, Fredericks 1980). An
// approximation without a proven bound: order of arrival keeps servers idle
// while a wide job gathers them, which this leaves out, so real waits are
// longer where jobs are wide beside the fleet. How much longer was not measured,
// which [Figures.Approximation] says by having no source.
type Wide struct {
	Slots      GGC     // rate and SCVs of the slots
	Peakedness float64 // z > 0
}

// At returns the figures with n servers, that is n/z slots.
func (m Wide) At(servers float64) (Figures, error) {
	c := Domain{Func: "Wide"}
	c.Positive("peakedness", m.Peakedness)
	if c.Err != nil {
		return Figures{}, c.Err
	}
	f, err := m.Slots.At(servers / m.Peakedness)
	if err != nil {
		return Figures{}, err
	}
	f.Servers = servers
	f.OfferedLoad *= m.Peakedness
	f.MeanQueueLength *= m.Peakedness
	if m.Peakedness != 1 {
		f.approximation = &Approximation{Method: "slot scaling of wide jobs"}
		f.remark = remark{said: &Warning{"Slot scaling of wide jobs", "jobs that are narrow beside the fleet",
			"the error was not measured: confirm by replaying the log before relying on it; waits of wide jobs are longer"}}
	}
	return f, nil
}

// Floor returns the offered load in servers.
func (m Wide) Floor() float64 { return m.Slots.Floor() * m.Peakedness }
