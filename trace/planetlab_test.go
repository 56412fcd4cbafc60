package trace

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

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

func readPlanetLab(data []byte, o PlanetLabOptions) ([]HostDay, *TraceLog, error) {
	var out []HostDay
	log, err := ReadPlanetLab(context.Background(), "days.tar", bytes.NewReader(data), o, func(d HostDay) error {
		d.CPU = append([]float64(nil), d.CPU...)
		out = append(out, d)
		return nil
	})
	return out, log, err
}

func TestReadPlanetLab(t *testing.T) {
	data := tarData(t, archiveFile{"20110303/a_example_org", dayFile(0)}, archiveFile{"./20110303/b_example_org", strings.TrimSuffix(dayFile(5), "\n")},
		archiveFile{"README", "text"}, archiveFile{"traces/20110225/a_example_org", strings.ReplaceAll(dayFile(9), "\n", "\r\n")})
	packed := sourcetest.Gzip(t, string(data))
	for name, content := range map[string][]byte{"days.tar": data, "days.tgz": packed} {
		src, err := source.Open(context.Background(), sourcetest.TempFile(t, name, content), source.OpenOptions{Archive: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []HostDay
		log, err := ReadPlanetLab(context.Background(), name, src, PlanetLabOptions{Strict: true}, func(d HostDay) error {
			got = append(got, d)
			first := map[string]int{"20110303a": 0, "20110303b": 5, "20110225a": 9}[d.Day+d.Name[:1]]
			for i, c := range d.CPU {
				if want := float64((first+7*i)%101) / 100; c != want {
					t.Fatalf("%s %s: sample %d is %v, want %v", d.Day, d.Name, i, c, want)
				}
			}
			start, _ := time.Parse(time.DateOnly, d.Day[:4]+"-"+d.Day[4:6]+"-"+d.Day[6:])
			if d.Start != float64(start.Unix()) || d.Step != 300 || len(d.CPU) != 288 {
				t.Errorf("%+v", d)
			}
			return nil
		})
		src.Close()
		if err != nil || len(got) != 3 || got[0].Host != 0 || got[1].Host != 1 || got[2].Host != 0 || got[2].Name != "a_example_org" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if log.Rows != 3 || log.Lines != 4 || log.Skipped != 1 || log.Nodes != 2 || log.Last-log.First != 6*86400+287*300 {
			t.Errorf("%+v", log)
		}
	}
	if _, err := source.Open(context.Background(), sourcetest.TempFile(t, "days.tgz", packed), source.OpenOptions{}); !errors.Is(err, source.ErrBinary) {
		t.Errorf("an archive as text: %v", err)
	}
}

func TestReadPlanetLabMalformed(t *testing.T) {
	good := dayFile(0)
	data := tarData(t, archiveFile{"20110303/a", good}, archiveFile{"20110303/b", good[2:]}, archiveFile{"20110303/c", good + "1\n"},
		archiveFile{"20110303/d", strings.Replace(good, "7\n", "x\n", 1)}, archiveFile{"20110303/e", strings.Replace(good, "7\n", "101\n", 1)},
		archiveFile{"20110303/f", strings.Replace(good, "7\n", "-7\n", 1)}, archiveFile{"20110303/g", strings.Repeat("0\n", source.MaxLine)},
		archiveFile{"20110303/a", good}, archiveFile{"20110303/h", ""}, archiveFile{"20110303/i", "\x00"}, archiveFile{"20110304/a", good})
	got, log, err := readPlanetLab(data, PlanetLabOptions{})
	if err != nil || len(got) != 2 || log.Nodes != 1 {
		t.Fatalf("%d days, %+v, %v", len(got), log, err)
	}
	if m := log.Malformed; m.Columns != 3 || m.Value != 3 || m.Range != 1 || m.TooLong != 1 || m.Overlap != 1 {
		t.Errorf("%+v", m)
	}
	for i, want := range []string{"days.tar: 20110303/b: 287 values", "289 values", `days.tar: 20110303/d:2: no whole number`, ":2: 101 is outside 0..100 percent", ":2: no whole number"} {
		if got := log.Malformed.First[i].Error(); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	if _, _, err := readPlanetLab(data, PlanetLabOptions{Strict: true}); !errors.Is(err, source.ErrMalformed) {
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
	for _, c := range []struct {
		name string
		data []byte
		err  error
		say  string
	}{
		{"text", bytes.Repeat([]byte("1 2 3\n"), 500), source.ErrMalformed, "no tar archive"},
		{"cut", whole[:1700], source.ErrTruncated, "ends early"},
		{"cut in the padding", whole[:2000], source.ErrTruncated, "ends early"},
		{"cut between files", whole[:2048], source.ErrTruncated, "ends early"},
		{"cut at the end", whole[:len(whole)-512], source.ErrTruncated, "ends early"},
		{"no days", tarData(t, archiveFile{"a/b", "1"}), ErrNoRows, "no usable row in 1"},
		{"empty", nil, source.ErrEmpty, "no content"},
		{"a long header", longHeader(t), source.ErrMalformed, "a header of the archive is too long"},
	} {
		_, _, err := readPlanetLab(c.data, PlanetLabOptions{})
		sourcetest.CheckFileError(t, err, "days.tar", c.err, c.say, "want a tar archive of files DAY/HOST")
	}
	packed := sourcetest.Gzip(t, string(whole))
	src, err := source.Open(context.Background(), sourcetest.TempFile(t, "cut.tgz", packed[:len(packed)-30]), source.OpenOptions{Archive: true})
	if err == nil {
		_, err = ReadPlanetLab(context.Background(), "cut.tgz", src, PlanetLabOptions{}, func(HostDay) error { return nil })
	}
	sourcetest.CheckFileError(t, err, "cut.tgz", source.ErrTruncated, "cut short")
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err = ReadPlanetLab(ctx, "f", bytes.NewReader(whole), PlanetLabOptions{}, func(HostDay) error { n++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("cancelled: %v after %d", err, n)
	}
	stop := errors.New("stop")
	if _, err := ReadPlanetLab(context.Background(), "f", bytes.NewReader(whole), PlanetLabOptions{}, func(HostDay) error { return stop }); err != stop {
		t.Errorf("callback's error: %v", err)
	}
}

func TestReadPlanetLabDay(t *testing.T) {
	d, err := ReadPlanetLabDay("a", "host", "19700102", strings.NewReader(dayFile(50)))
	if err != nil || d.Name != "host" || d.Start != 86400 || d.CPU[1] != 0.57 {
		t.Errorf("%+v, %v", d, err)
	}
	_, err = ReadPlanetLabDay("a", "host", "19700102", strings.NewReader("1\n2\n"))
	sourcetest.CheckFileError(t, err, "a", source.ErrMalformed, "2 values, not 288")
	_, err = ReadPlanetLabDay("a", "host", "19700102", strings.NewReader(""))
	sourcetest.CheckFileError(t, err, "a", source.ErrMalformed, "0 values")
	var domain *source.DomainError
	if _, err := ReadPlanetLabDay("a", "host", "monday", strings.NewReader("")); !errors.As(err, &domain) {
		t.Errorf("%v", err)
	}
	_, err = ReadPlanetLabDay("a", "host", "19700102", failing{})
	sourcetest.CheckFileError(t, err, "a", os.ErrDeadlineExceeded, "timeout")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

func FuzzReadPlanetLab(f *testing.F) {
	f.Add(tarData(f, archiveFile{"20110303/a", dayFile(0)}), false)
	f.Add(tarData(f, archiveFile{"20110303/a", "1\nx\n"}, archiveFile{"a/b", ""}), true)
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		days, log, err := readPlanetLab(data, PlanetLabOptions{Strict: strict})
		for _, d := range days {
			for _, c := range d.CPU {
				if !(c >= 0 && c <= 1) || len(d.CPU) != planetLabSamples || math.IsNaN(d.Start) || d.Host >= log.Nodes {
					t.Fatalf("%+v", d)
				}
			}
		}
		if len(days) != log.Rows || err == nil && (len(days) == 0 || strict && log.Malformed.Total() > 0) {
			t.Errorf("%d days, %+v, %v", len(days), log, err)
		}
	})
}

func BenchmarkReadPlanetLab(b *testing.B) {
	var files []archiveFile
	for i := range 500 {
		files = append(files, archiveFile{fmt.Sprintf("201103%02d/host%d", 1+i%20, i/20), dayFile(i)})
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(tarData(b, files...))
	z.Close()
	b.Run("hostdays=500", func(b *testing.B) {
		for b.Loop() {
			src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: bytes.NewReader(packed.Bytes()), Archive: true})
			if err != nil {
				b.Fatal(err)
			}
			if log, err := ReadPlanetLab(context.Background(), "f", src, PlanetLabOptions{}, func(HostDay) error { return nil }); err != nil || log.Rows != 500 {
				b.Fatal(err)
			}
		}
	})
}
