// Package document reads YAML and JSON into structs, strictly, and knows the
// line and column of every value, so that a check made later can still say where
// a wrong value stands.
//
// There are three ways in, which differ in what they keep in memory:
//
//	Read, ReadLarge    a tree of nodes, for files that are checked as a whole
//	QuestionReader     questions of the library by the names of their JSON, units and all
//	Fill               JSON as a stream, straight into structs, for files of many records
//
// A value stays text until the type that it is read into says what it is, so that 1e3, 5min
// and 1% are read by the same rules in a file as behind a flag. Strict means
// that no key is unknown and none comes twice; a file, though not a question, also has to
// have every field without a default.
//
// A file from elsewhere may be a trap. Bytes, values and nesting are bounded before a parser
// that takes memory sees them, and anchors of YAML are followed within bounds: see limits.
//
// Left out: writing, comments, tags of YAML, and several documents in one file.
package document
