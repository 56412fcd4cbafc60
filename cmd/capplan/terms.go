package main

import (
	_ "embed"

	"github.com/capplan/capplan/internal/cmdline"
)

// termsFile holds the words that help, answers and papers use, in the order of the alphabet, as
// help terms prints them. A word belongs there where help or an answer uses it and a reader from
// another field would ask. Papers are named by the same short names in all sources.
//
//go:embed terms.txt
var termsFile string

// terms are those of the file.
var terms = cmdline.ParseTerms(termsFile)
