//go:build ignore

// Command generate writes table_test.go.
package main

import (
	"log"
	"path/filepath"

	"github.com/capplan/capplan/internal/adversary"
	"github.com/capplan/capplan/internal/outfile"
)

func main() {
	source, err := adversary.Table(filepath.Join("..", ".."))
	if err != nil {
		log.Fatal(err)
	}
	if err := outfile.Write("table_test.go", source); err != nil {
		log.Fatal(err)
	}
}
