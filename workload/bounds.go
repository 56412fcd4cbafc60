package workload

// Bounds beyond which a number is taken for damage, not for data.
const (
	maxSeconds = 1e10 // 317 years
	maxField   = 1e15 // whole numbers up to here are exact
)

// A file with damaged lines is read on, up to here.
const (
	maxNamed     = 5   // malformed lines kept with their text
	maxMalformed = 100 // malformed lines without a good one that make a file another than it was taken for
)
