// Package page holds what is shown, whatever the question was: sections with
// facts, tables and figures, a document of several of them, and the writers for
// text, HTML and CSV. Every form is written from the same section.
package page
