package cmdline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/units"
)

// longRun is from how many seconds on a simulation is announced, and tooLong from how many it is
// refused: nobody waits so long, but a script in which a number was mistyped would.
const (
	longRun = 10
	tooLong = 30 * 86400
)

// overBar begins a line where a terminal may show a bar.
const overBar = "\r\x1b[K"

// estimating returns a context in which a simulation that will take long says so
// before it begins, or where that was not foreseen once it shows, once a run of the
// program: a number that was mistyped is then seen at once. One that would take more than
// a month ends the context with a [UsageError] as its cause.
func (s *Streams) estimating(ctx context.Context) context.Context {
	ctx, refuse := context.WithCancelCause(given.Context(ctx))
	return sim.WithEstimateRange(ctx, func(low, high float64) {
		if low < longRun {
			return
		}
		s.estimate.Do(func() {
			if low > tooLong {
				refuse(&UsageError{Reason: fmt.Sprintf("the simulation would take %s, and at most %s are allowed%s",
					howLong(low, high), units.FormatDuration(tooLong, 1), s.shorter("; "))})
				return
			}
			begin := ""
			if isTerminal(s.Err) {
				begin = overBar
			}
			if s.sweeping() {
				begin += "at one point "
			}
			fmt.Fprintf(s.Err, "%sthe simulation takes %s%s; Ctrl-C ends it and keeps what is done\n", begin,
				howLong(low, high), s.shorter(", "))
		})
	})
}

// refused is the error of a context that ended because a simulation would take too long.
func refused(ctx context.Context) error {
	var usage *UsageError
	if errors.As(context.Cause(ctx), &usage) {
		return usage
	}
	return nil
}

// howLong words how long something takes that is known within two bounds.
func howLong(low, high float64) string {
	switch {
	case low > 100*365*86400:
		return "more than a century"
	case math.IsInf(high, 1):
		return "at least " + units.FormatDuration(low, 1)
	}
	if least, most := units.FormatDuration(low, 1), units.FormatDuration(high, 1); least != most {
		return "about " + least + " to " + most
	}
	return "about " + units.FormatDuration(low, 2)
}

// shorter names what makes a simulation shorter, of the flags that the command has, after words that
// lead over to it. It is empty for a command that has none of these.
func (s *Streams) shorter(after string) string {
	if s.simulates == nil {
		return ""
	}
	text := ""
	for _, name := range []string{"horizon", "replications", "precision", "seeds"} {
		if s.simulates.Has(name) {
			if text != "" {
				text += " or"
			}
			text += " --" + name
		}
	}
	if text == "" {
		return ""
	}
	return after + "another" + text + " makes it shorter"
}

var (
	slowFrom  = 3 * time.Second // after how long what may take long is announced
	silentFor = 5 * time.Second // after how long a command that has said nothing says that it goes on
)

// NeverSlow keeps commands from saying that they take a while. It is for tests of what a command
// writes, which may take whatever time where all packages are tested at once on a busy machine.
func NeverSlow() { slowFrom, silentFor = math.MaxInt64, math.MaxInt64 }

// Slow says after a few seconds that something takes longer than usual, if it then still does:
// whoever waits sees that it goes on and that it can be stopped. The function that it returns ends
// the wait, and returns when nothing more is said.
func (s *Streams) Slow(what string) (end func()) { return s.slow(what, slowFrom, false) }

// silent is Slow of any command, told only where nothing was said of it and no bar shows.
func (s *Streams) silent(command string) (end func()) {
	return s.slow(command+" takes a while", silentFor, true)
}

func (s *Streams) slow(what string, from time.Duration, first bool) (end func()) {
	said := make(chan struct{})
	timer := time.AfterFunc(from, func() {
		defer close(said)
		if spoke, ok := s.Err.(*spoken); first && ok && spoke.any() {
			return
		}
		begin := ""
		if isTerminal(s.Err) {
			begin = overBar
		}
		fmt.Fprintf(s.Err, "%s%s; Ctrl-C ends it\n", begin, what)
	})
	return func() {
		if !timer.Stop() { // it is being said, or was
			<-said
		}
	}
}
