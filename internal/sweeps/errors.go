package sweeps

// An OptionError says which option of a sweep is not well put.
type OptionError struct {
	Option string // over, out or resume
	Reason string
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Reason }

// A FileError says which file cannot be read or written.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }
