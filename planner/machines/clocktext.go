package machines

import (
	"fmt"
	"time"

	"github.com/capplan/capplan/smp"
)

// A ClockText is the clock of a [Labelling] as files have it, since places and dates
// have no JSON of their own.
type ClockText struct {
	Zone     string   `json:"zone,omitempty"` // of the IANA database; empty: UTC
	Holidays []string `json:"holidays,omitempty"`
}

// ClockText returns the clock of the labelling.
func (l *Labelling) ClockText() (t ClockText) {
	if l == nil {
		return t
	}
	if l.Location != nil {
		t.Zone = l.Location.String()
	}
	for _, d := range l.Holidays {
		t.Holidays = append(t.Holidays, d.String())
	}
	return t
}

// Calendar reads the clock. Its errors say which of the two fields is wrong.
func (t ClockText) Calendar() (c smp.Calendar, err error) {
	if t.Zone != "" {
		if c.Location, err = time.LoadLocation(t.Zone); err != nil {
			return c, fmt.Errorf(`zone is "%s", no time zone`, t.Zone)
		}
	}
	for _, h := range t.Holidays {
		day, err := time.Parse(time.DateOnly, h)
		if err != nil {
			return c, fmt.Errorf(`holidays: "%s" is not a date`, h)
		}
		c.Holidays = append(c.Holidays, smp.DateOf(day))
	}
	return smp.NewCalendar(c.Location, c.Holidays), nil
}
