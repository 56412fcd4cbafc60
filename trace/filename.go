package trace

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/source"
)

// traceSuffixes end the names of files of one machine.
var traceSuffixes = []string{".gz", ".xz", ".csv", ".json", ".tab", ".txt"}

// machineName is a file's name without its suffixes.
func machineName(name string) string {
	for _, suffix := range traceSuffixes {
		if cut := strings.TrimSuffix(name, suffix); cut != "" && !strings.HasSuffix(cut, "/") {
			name = cut
		}
	}
	return name
}

// isArchive goes by the name, before a file is opened, and for old archives, whose
// content has no mark.
func isArchive(name string) bool {
	return slices.ContainsFunc([]string{".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz"},
		func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}

// dayOf returns the folder of a path if it is named like a day, else "".
func dayOf(name string) string {
	day := path.Base(path.Dir(filepath.ToSlash(name)))
	if _, ok := parseDay(day); !ok || len(day) != 8 {
		return ""
	}
	return day
}

// noDate is the error of a PlanetLab file without a day.
func noDate(name string) error {
	return source.Whole(name, "neither the path of the file nor a date says which day it holds",
		"a folder such as 20110303 above it, or the date of its first sample", ErrNoDate)
}

// dayName writes the day of a time as a folder's name.
func dayName(unix float64) string { return time.Unix(int64(unix), 0).UTC().Format("20060102") }
