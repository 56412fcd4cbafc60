package approximations

import (
	"compress/gzip"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/law"
)

// references are tables of true figures: of queues of general laws by gridsim, of
// loss systems by chains of other programs, and of what this package simulates; and the
// bags that it does. The longest is kept packed beside the table itself.
//
//go:embed references/[^s]*.csv references/simulated.csv.gz
var references embed.FS

// A row is a line of a table by the names of its columns.
type row map[string]string

// number returns a cell; the tables are part of the program. A cell that is no
// number is a fault of the program and panics: tables are compiled in, and tests
// read them all.
func (r row) number(column string) float64 {
	v, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		panic(fmt.Sprintf("approximations: column %s of a reference: %v", column, err))
	}
	return v
}

// server returns the server of a bag.
func (r row) server() bags.Server {
	for _, s := range []bags.Server{bags.XWHEP, bags.BOINC, bags.Checkpoint} {
		if s.String() == r["server"] {
			return s
		}
	}
	panic("approximations: no server " + r["server"])
}

// law returns a cell such as "weibull 0.7 17000", nil for none.
func (r row) law(column string) law.Law {
	name, figures, _ := strings.Cut(r[column], " ")
	first, second, _ := strings.Cut(figures, " ")
	one := row{"first": first, "second": second}
	switch name {
	case "none":
		return nil
	case "exponential":
		return law.Exponential{Scale: one.number("first")}
	case "weibull":
		return law.Weibull{Shape: one.number("first"), Scale: one.number("second")}
	case "gamma":
		return law.Gamma{Shape: one.number("first"), Scale: one.number("second")}
	case "lognormal":
		return law.LogNormal{Mu: one.number("first"), Sigma: one.number("second")}
	}
	panic("approximations: no law " + r[column])
}

// table reads a table that is compiled in. Lines that begin with # say where it
// comes from; a cell that is empty is that of the line above.
func table(name string) []row {
	file, err := references.Open("references/" + name)
	if err != nil {
		panic("approximations: " + err.Error())
	}
	var text io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if text, err = gzip.NewReader(file); err != nil {
			panic("approximations: " + name + ": " + err.Error())
		}
	}
	r := csv.NewReader(text)
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		panic("approximations: " + name + ": " + err.Error())
	}
	var rows []row
	for _, cells := range lines[min(1, len(lines)):] {
		one := row{}
		for i, column := range lines[0] {
			if one[column] = cells[i]; cells[i] == "" {
				one[column] = rows[len(rows)-1][column]
			}
		}
		rows = append(rows, one)
	}
	return rows
}

// A simulated figure with half the width of its interval.
type simulated struct{ mean, half float64 }

// A known set of simulated figures, by study, case and figure. A figure is found
// by the words for its system, so that a system which changes loses its figure
// instead of keeping an old one.
type known map[[3]string]simulated

// stored are the simulations that were run before.
func stored() known {
	k := known{}
	for _, r := range table("simulated.csv.gz") {
		k[[3]string{r["study"], r["case"], r["figure"]}] = simulated{r.number("mean"), r.number("half")}
	}
	return k
}
