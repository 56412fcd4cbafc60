package sim

// Of a run that forgets its start over and over, forgotten is the warm-up in units of the time that it takes to
// forget it, and spanned is how long a run lasts at least if that can be.
const (
	forgotten = 5
	spanned   = 2 * forgotten
)

// Span sets a horizon, and perhaps a warm-up, for a model that would choose usual, has events in a unit of time,
// and takes forget to forget its start. Where runs of usual length would have more than HorizonEvents they are
// shorter, down to ten times forget; where that is too long as well no runs look for the warm-up, which then
// is half of a run or five times forget, and as few runs as may be are the longer. A horizon of which that
// warm-up is half and less than five times forget is too short, which [Options.LeastWarmUp] tells.
func (o *Options) Span(usual, forget, events float64) {
	o.Horizon = usual
	runs := min(firstRound, float64(o.Replications)) // whoever asks for more has time
	if runs == 0 {
		runs = firstRound
	}
	most := float64(o.HorizonEvents) / events
	span := most / (pilots + runs)
	if most == 0 || usual <= span {
		return
	}
	if least := spanned * forget; span < least {
		if o.Events > 0 {
			runs = fewest
		}
		span = max(span, min(least, most/runs))
		if o.WarmUp == 0 && !o.FindWarmUp {
			o.WarmUp = min(forgotten*forget, span/2)
		}
	}
	o.Horizon = min(usual, max(span, 2*o.WarmUp))
}
