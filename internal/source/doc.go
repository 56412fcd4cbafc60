// Package source is how bytes come in: opened and unpacked by their content
// (plain, gzip, xz), bounded in memory, cut into lines of bounded length,
// stopped by a context, and with an error for each fault that names file, line
// and column. Readers of particular forms are built on it.
//
//	file or stdin ─▶ unpack ─▶ look at the first bytes ─▶ LineReader ─▶ a form's reader
//	                                                  └─▶ Transcript ─▶ package document
//
// The content decides how it is read and not the name: what is packed, binary or empty is told
// by the first bytes, before a parser says something odd of it. Compressions are registered by
// package packed, so that who embeds a model links none.
//
// Damage is expected. A malformed line is counted and the first few are named with their
// text, a line is cut at a length, packed data that swell four hundredfold are taken for a
// trap, and a pipe that nobody writes to ends with the context.
//
// Left out: UTF-16, and reading from the network. Latin-1 in comments of old logs passes.
package source
