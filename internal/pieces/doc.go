// Package pieces answers: how is work done that consists of many pieces, on one
// machine or on a thousand?
//
//	do piece i ──▶ partial ──▶ taken in the order of the pieces ──▶ answer
//
// [Fold] is that line. A piece depends on its index alone: whoever does it, it
// comes to the same partial. Plainly, Fold does all pieces on the cores of this
// machine. With a [Keeper] in the context it has the keeper choose pieces and
// write down what they come to, and nothing is taken. With a [Giver] it takes what
// was written down. Since the same partials are taken in the same order each time,
// the answers are the same to the byte.
//
// The partials are written by a [Form], which must give back what it was given,
// to the last bit. What a piece does inside is no longer parted: the outermost
// Fold counts.
//
// The package knows no files; see internal/shards for those.
package pieces
