// Package partials answers: how is what a piece of work came to written as JSON, and
// read back to the bit?
//
// [JSON] is the [pieces.Form] of structs; [Number] is a number that may be infinite
// or none, which JSON has no numbers for. Partials of which there are millions have
// forms of their own, beside their work. Package pieces itself knows no JSON, so that
// who embeds a simulation does not link it.
package partials
