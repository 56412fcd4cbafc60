package trace

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

type archiveFile struct{ name, text string }

func tarData(t testing.TB, files ...archiveFile) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "20110303/", Typeflag: tar.TypeDir, Mode: 0o755}); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f.text))}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(f.text))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// dayFile holds (first + i·7) mod 101 in line i.
func dayFile(first int) string {
	var b strings.Builder
	for i := range planetLabSamples {
		fmt.Fprintln(&b, (first+7*i)%101)
	}
	return b.String()
}

// planetLabDays are the samples of hosts as they come, a line for each host and day: "a 86400 0.57" with
// the third of its values.
type planetLabDays struct {
	lines []string
	count int
	whole bool // all values are shares, and of a day there are 288
}

// A planetLabSink takes the samples of one host.
type planetLabSink struct {
	heard
	days *planetLabDays
}

func (s *planetLabSink) Sample(x Sample) error {
	d := s.days
	d.whole = d.whole && x.CPU >= 0 && x.CPU <= 1
	if d.count%planetLabSamples == 2 {
		d.lines = append(d.lines, fmt.Sprint(x.Name, " ", x.Time-600, " ", x.CPU))
	}
	d.count++
	return nil
}

// readPlanetLab reads an archive as the program does.
func readPlanetLab(ctx context.Context, path string, o MachineOptions) (*planetLabDays, *MachineLog, error) {
	days := &planetLabDays{whole: true}
	o.Machine = func(string) (MachineSink, error) { return &planetLabSink{days: days}, nil }
	log, err := ReadMachines(ctx, MachineUnit{[]MachineFile{{Path: path, Name: "x"}}}, o)
	days.whole = days.whole && days.count%planetLabSamples == 0
	return days, log, err
}

func TestReadPlanetLab(t *testing.T) {
	data := tarData(t, archiveFile{"20110303/a_example_org", dayFile(0)}, archiveFile{"./20110303/b_example_org", strings.TrimSuffix(dayFile(5), "\n")},
		archiveFile{"README", "text"}, archiveFile{"traces/20110225/a_example_org", strings.ReplaceAll(dayFile(9), "\n", "\r\n")})
	want := []string{"a_example_org 1.298592e+09 0.23", "a_example_org 1.2991104e+09 0.14", "b_example_org 1.2991104e+09 0.19"}
	for name, content := range map[string][]byte{"days.tar": data, "days.tgz": sourcetest.Gzip(t, string(data))} {
		path := sourcetest.TempFile(t, name, content)
		got, log, err := readPlanetLab(context.Background(), path, MachineOptions{Strict: true})
		if err != nil || !got.whole || got.count != 3*planetLabSamples || !slices.Equal(got.lines, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if log.Rows != 3 || log.Files != 3 || log.Skipped != 1 {
			t.Errorf("%+v", log)
		}
		if _, err := source.Open(context.Background(), path, source.OpenOptions{}); !errors.Is(err, source.ErrBinary) {
			t.Errorf("an archive as text: %v", err)
		}
	}
}

func TestReadPlanetLabMalformed(t *testing.T) {
	good := dayFile(0)
	path := sourcetest.TempFile(t, "days.tar", tarData(t,
		archiveFile{"20110303/a", good}, archiveFile{"20110303/b", good[2:]}, archiveFile{"20110303/c", good + "1\n"},
		archiveFile{"20110303/d", strings.Replace(good, "7\n", "x\n", 1)}, archiveFile{"20110303/e", strings.Replace(good, "7\n", "101\n", 1)},
		archiveFile{"20110303/f", strings.Replace(good, "7\n", "-7\n", 1)}, archiveFile{"20110303/g", strings.Repeat("0\n", source.MaxLine)},
		archiveFile{"20110303/a", good}, archiveFile{"20110303/h", ""}, archiveFile{"20110303/i", "\x00"}, archiveFile{"20110304/a", good}))
	got, log, err := readPlanetLab(context.Background(), path, MachineOptions{})
	if err != nil || len(got.lines) != 2 || !got.whole {
		t.Fatalf("%v, %+v, %v", got.lines, log, err)
	}
	if m := log.Malformed; m.Columns != 3 || m.Value != 3 || m.Range != 1 || m.TooLong != 1 || m.Overlap != 1 {
		t.Errorf("%+v", m)
	}
	for i, want := range []string{"days.tar: 20110303/b: 287 values", "289 values", `days.tar: 20110303/d:2: no whole number`, ":2: 101 is outside 0..100 percent", ":2: no whole number"} {
		if got := log.Malformed.First[i].Error(); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	if _, _, err := readPlanetLab(context.Background(), path, MachineOptions{Strict: true}); !errors.Is(err, source.ErrMalformed) {
		t.Errorf("strict: %v", err)
	}
}

// longHeader is an archive with a header of 2 MiB, more than any reader takes.
func longHeader(t *testing.T) []byte {
	const at = 512 // behind the folder's
	data := tarData(t, archiveFile{"20110303/a", strings.Repeat("1\n", 1<<20)})
	block := data[at : at+512]
	block[156] = 'x' // its kind: attributes of the file that follows
	copy(block[148:156], "        ")
	sum := 0
	for _, c := range block {
		sum += int(c)
	}
	copy(block[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return data
}

func TestReadPlanetLabErrors(t *testing.T) {
	whole := tarData(t, archiveFile{"20110303/a", dayFile(0)}, archiveFile{"20110303/b", dayFile(1)})
	packed := sourcetest.Gzip(t, string(whole))
	for _, c := range []struct {
		name, file string
		data       []byte
		err        error
		say        string
	}{
		{"text", "days.tar", bytes.Repeat([]byte("1 2 3\n"), 500), source.ErrMalformed, "no tar archive"},
		{"cut", "days.tar", whole[:1700], source.ErrTruncated, "ends early"},
		{"cut in the padding", "days.tar", whole[:2000], source.ErrTruncated, "ends early"},
		{"cut between files", "days.tar", whole[:2048], source.ErrTruncated, "ends early"},
		{"cut at the end", "days.tar", whole[:len(whole)-512], source.ErrTruncated, "ends early"},
		{"cut while packed", "days.tgz", packed[:len(packed)-30], source.ErrTruncated, "cut short"},
		{"no days", "days.tar", tarData(t, archiveFile{"a/b", "1"}), ErrNoRows, "holds 1 file, no trace of a machine"},
		{"empty", "days.tar", nil, source.ErrEmpty, "no content"},
		{"a long header", "days.tar", longHeader(t), source.ErrMalformed, "a header of the archive is too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := sourcetest.TempFile(t, c.file, c.data)
			_, _, err := readPlanetLab(context.Background(), path, MachineOptions{})
			sourcetest.CheckFileError(t, err, path, c.err, c.say, "want a")
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	days := sourcetest.TempFile(t, "days.tar", whole)
	wrap := func(r io.Reader, _ int64) io.Reader { cancel(); return r }
	o := MachineOptions{Open: source.OpenOptions{Wrap: wrap}}
	if _, log, err := readPlanetLab(ctx, days, o); !errors.Is(err, context.Canceled) || log.Rows != 0 {
		t.Errorf("cancelled: %v after %+v", err, log)
	}
	stop := errors.New("stop")
	o = MachineOptions{Machine: func(string) (MachineSink, error) { return nil, stop }}
	u := MachineUnit{[]MachineFile{{Path: days, Name: "x"}}}
	if _, err := ReadMachines(context.Background(), u, o); err != stop {
		t.Errorf("the sink's error: %v", err)
	}
}

// A day that comes alone has its date from its folder or the options; one that cannot be read says why.
func TestReadPlanetLabDay(t *testing.T) {
	begin := 86400.0
	o := MachineOptions{Kind: PlanetLabKind, Begin: &begin, Strict: true}
	got, _, err := readPlanetLab(context.Background(), sourcetest.TempFile(t, "host", []byte(dayFile(50))), o)
	if want := []string{"x 86400 0.64"}; err != nil || !slices.Equal(got.lines, want) {
		t.Errorf("%+v, %v", got, err)
	}
	path := sourcetest.TempFile(t, "host", []byte("1\n2\n"))
	_, _, err = readPlanetLab(context.Background(), path, o)
	sourcetest.CheckFileError(t, err, path, source.ErrMalformed, "2 values, not 288")
	read := 0
	o.Open.Stdin = sourcetest.ReaderFunc(func(p []byte) (int, error) {
		if read >= 8<<10 {
			return 0, os.ErrDeadlineExceeded
		}
		n := copy(p, bytes.Repeat([]byte("1\n"), 100))
		read += n
		return n, nil
	})
	_, _, err = readPlanetLab(context.Background(), "-", o)
	sourcetest.CheckFileError(t, err, "standard input", os.ErrDeadlineExceeded, "timeout")
}

func FuzzReadPlanetLab(f *testing.F) {
	f.Add(tarData(f, archiveFile{"20110303/a", dayFile(0)}), false)
	f.Add(tarData(f, archiveFile{"20110303/a", "1\nx\n"}, archiveFile{"a/b", ""}), true)
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		begin := 0.0
		o := MachineOptions{Kind: PlanetLabKind, Begin: &begin, Strict: strict}
		o.Open.Stdin = bytes.NewReader(data)
		days, log, err := readPlanetLab(context.Background(), "-", o)
		if !days.whole || err == nil && (days.count != log.Rows*planetLabSamples || log.Rows == 0 || strict && log.Malformed.Total() > 0) {
			t.Errorf("%+v, %+v, %v", days, log, err)
		}
	})
}

func BenchmarkReadPlanetLab(b *testing.B) {
	var files []archiveFile
	for i := range 500 {
		files = append(files, archiveFile{fmt.Sprintf("201103%02d/host%d", 1+i%20, i/20), dayFile(i)})
	}
	packed := sourcetest.Gzip(b, string(tarData(b, files...)))
	b.Run("hostdays=500", func(b *testing.B) {
		for b.Loop() {
			o := MachineOptions{Open: source.OpenOptions{Stdin: bytes.NewReader(packed)}}
			if _, log, err := readPlanetLab(context.Background(), "-", o); err != nil || log.Rows != 500 {
				b.Fatal(err)
			}
		}
	})
}
