package source

// Bounds beyond which a number is taken for damage, not for data.
const (
	MaxSeconds = 1e10 // 317 years
	MaxField   = 1e15 // whole numbers up to here are exact
)

// A file with damaged lines is read on, up to here.
const (
	MaxNamed     = 5   // malformed lines kept with their text
	MaxMalformed = 100 // malformed lines without a good one that make a file another than it was taken for
)
