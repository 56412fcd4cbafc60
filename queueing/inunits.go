package queueing

import "errors"

// InUnits is a model that counts its time in units of its own. A queue whose
// offered load a is known better than its arrival rate takes the mean service
// as the unit: rate a, service time 1, and a is carried to the last digit. As
// rate a/E[S] times E[S] it would come back rounded, and near saturation
// n − a holds nothing but the last digits.
type InUnits struct {
	Model Model
	Unit  float64 // s > 0 per unit of the model's time
}

// At returns the figures of the model in seconds. Errors as those of the model,
// and *DomainError for a unit that is not above 0.
func (m InUnits) At(servers float64) (Figures, error) {
	c := Domain{Func: "InUnits"}
	c.Positive("unit", m.Unit)
	if m.Model == nil {
		c.Fail("model", 0, "a model")
	}
	if c.Err != nil {
		return Figures{}, c.Err
	}
	f, err := m.Model.At(servers)
	if e, ok := errors.AsType[*DomainError](err); ok && e.Arg == "patience" { // the one argument with a time
		err = &DomainError{e.Func, e.Arg, e.Value * m.Unit, e.Want}
	}
	return f.InUnits(m.Unit), err
}

// Floor returns that of the model.
func (m InUnits) Floor() float64 {
	if m.Model == nil {
		return 0
	}
	return m.Model.Floor()
}

// InUnits returns in seconds the figures of a queue whose time is counted in
// units of the given length: times are multiplied by it, rates divided.
func (f Figures) InUnits(unit float64) Figures {
	if unit == 1 {
		return f
	}
	f.ArrivalRate /= unit
	f.Throughput /= unit
	f.ServiceTime *= unit
	f.MeanWait *= unit
	f.MeanResponse *= unit
	f.law = lawInUnits(f.law, unit)
	f.response = lawInUnits(f.response, unit)
	f.service.unit = f.service.scale() * unit
	return f
}

// InUnits is [Figures.InUnits] for the response as well.
func (f DelayFigures) InUnits(unit float64) DelayFigures {
	f.Figures = f.Figures.InUnits(unit)
	f.WaitVariance *= unit * unit
	f.ResponseVariance *= unit * unit
	f.response = lawInUnits(f.response, unit)
	return f
}

func lawInUnits(l WaitLaw, unit float64) WaitLaw {
	switch l := l.(type) {
	case nil:
		return nil
	case PatientLaw:
		return patientLawInUnits{lawOfUnits{l, unit}, l}
	}
	return lawOfUnits{l, unit}
}

type lawOfUnits struct {
	WaitLaw
	unit float64
}

func (l lawOfUnits) Tail(t float64) float64     { return l.WaitLaw.Tail(t / l.unit) }
func (l lawOfUnits) Quantile(p float64) float64 { return l.WaitLaw.Quantile(p) * l.unit }

type patientLawInUnits struct {
	lawOfUnits
	patient PatientLaw
}

func (l patientLawInUnits) ServedLate(t float64) float64 { return l.patient.ServedLate(t / l.unit) }
