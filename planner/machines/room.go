package machines

import "github.com/capplan/capplan/smp"

// Labelled ends the record, which is used up, and returns its states. Errors:
// *ask.InputError.
func (r *Recorder) Labelled() (*Labelled, error) { return r.finish() }

// Kind returns the kind of day. Errors: *ask.InputError.
func (w *DayWindow) Kind() (smp.DayKind, error) {
	if w == nil {
		w = new(DayWindow)
	}
	return w.kind()
}

// Horizon returns the whole steps of a window, at least one. Errors:
// *ask.InputError.
func Horizon(window, step float64) (int, error) { return horizon(window, step) }

// InputError turns an error of a model into one of a question; others come back as
// they are.
func InputError(err error) error {
	if err == nil {
		return nil
	}
	return smpError(err)
}
