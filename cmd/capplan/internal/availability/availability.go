package availability

import (
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// Command is the group of commands about the time for which a machine stays free. In the papers on
// iShare the machine is lent to guest jobs, and it is free while its own load leaves room for one.
func Command() *cmdline.Command {
	return &cmdline.Command{
		Name: "availability", Usage: "how likely is this machine free through a window?",
		Description: `Predicts from the record of a machine's CPU load and free memory, by a semi-Markov process
of five states: S1 light load, S2 heavy load, and the failures S3 (a guest has to stop),
S4 (memory is short) and S5 (the machine is gone).

How likely a guest keeps the machine for two hours from 9:00 on a weekday:

  $ capplan availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10

Faults of a trace, and how they are taken:

  no time, one that goes back or       a bad row: left out, counted, the first
  comes again; a load below 0, or      five named with file and line; with
  not a number                         --strict an error
  a load above 100%, a free memory     100%, none, and counted; with --strict an
  below 0                              error
  more loads above 1 than below        an error: the file is in percent
  an empty cpu                         a missing sample
  missing samples, up to --gap         the state before them goes on
  a longer gap, such as a day          the machine was gone, S5; with --gaps
                                       unknown, as after a row whose watched is 0,
                                       neither up nor down
  a row whose alive is 0               the machine was down, S5
  samples sooner than the period       left out, counted
  a dozen gaps of one length, one      an error: the period changed, unless
  after the other, beyond --gap        --period is given
  over a tenth of the gaps not of      an error, unless --period is given
  one period or a multiple
  no PlanetLab day, null in a spot     unknown: neither up nor down
  trace, no event in an archive
  a PlanetLab day not of 288 whole     a bad row: that day is unknown
  percents, or empty
  a part of the window on a day        that part is used, with a warning
  nothing of the window on a day       passed over, with a warning
  no day with the window               an error
  compressed data cut short            an error

In events of up and down (fta, spot) a step is S5 if the machine was down at any moment of
it, else S1.`,
		Children: availabilityCommands(),
	}
}

// availabilityCommands are in the order of the work: see the states, learn, predict, then judge the
// prediction. The help lists them so.
func availabilityCommands() []func() *cmdline.Command {
	return []func() *cmdline.Command{labelCommand, estimateCommand, predictCommand, rankCommand, jointCommand,
		replayCommand, evaluateCommand, solveCommand, recordCommand, laboratoryGenerateCommand}
}

// dayInput is the window of a day. Nothing has a default; the number of days is needed by the
// process of one machine alone, see fleetWindow.
type dayInput struct {
	// day is weekday or weekend, start a time of day HH:MM.
	day, start string
	// window is a length in s; days how many of the most recent ones are learned from.
	window *units.Duration
	days   *units.Count
}

// flags binds the window of a day and the number of days to learn from. predict, rank and fit share
// these four; joint and the commands of other packages bind them by their own words.
func (in *dayInput) flags(s *cmdline.FlagSet) {
	cmdline.OneOf(s, "day", &in.day, "`KIND` of days to learn from: weekday or weekend", nil, "weekday", "weekend")
	s.Text("start", &in.start, "HH:MM", "time of day at which the window begins")
	cmdline.Value(s, "window", &in.window, "TIME", "length of the window, such as 2h")
	cmdline.Value(s, "days", &in.days, "N", "number of most recent days of that kind to learn from")
}

// question checks what predict and fit cannot do without and returns it in seconds. Nothing of it has
// a default: a window that nobody chose would be answered for. Errors: *ask.InputError of the first
// flag that is missing, in the order of the help.
func (in *dayInput) question() (machines.DayWindow, error) {
	q := machines.DayWindow{Day: in.day}
	switch {
	case in.day == "":
		return q, &ask.InputError{Field: "day", Reason: "not given, want weekday or weekend"}
	case in.start == "":
		return q, &ask.InputError{Field: "start", Reason: "not given, want a time of day such as 09:00"}
	case in.window == nil:
		return q, &ask.InputError{Field: "window", Reason: "not given, want a length such as 2h"}
	case in.days == nil:
		return q, &ask.InputError{Field: "days", Reason: "not given, want a number of days such as 10"}
	// 1e6 days are some 2700 years; the number has to fit an int of 32 bits.
	case *in.days < 1 || *in.days > 1e6:
		return q, &ask.InputError{Field: "days", Reason: "want 1 to 1e6 days"}
	}
	var err error
	q.Start, err = timeOfDay("start", in.start)
	q.Window, q.Days = float64(*in.window), int(*in.days)
	return q, err
}

// timeOfDay reads a time such as 09:30 as seconds. The result is in seconds after midnight, 0 or
// more and below 86,400. Errors: *ask.InputError of the field that is named.
func timeOfDay(field, text string) (float64, error) {
	t, err := units.ParseTimeOfDay(text)
	if err != nil {
		return 0, &ask.InputError{Field: field, Reason: spell.Quote(text) + ", want a time of day 00:00 to 23:59"}
	}
	return float64(t), nil
}
