// Package source is how bytes come in: opened and unpacked by their content
// (plain, gzip, xz), bounded in memory, cut into lines of bounded length,
// stopped by a context, and with an error for each fault that names file, line
// and column. Readers of particular forms are built on it.
package source
