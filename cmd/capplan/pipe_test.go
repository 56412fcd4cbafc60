//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Every reader ends with Ctrl-C where a pipe has no writer, which blocks
// whoever opens it: a command that is deaf to it would not return.
func TestPipeWithoutWriter(t *testing.T) {
	root, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"jobs.csv":     "id,dependency,level,demand,revenue\nj,d,1,1,1\n",
		"routing.yaml": "routing: {rate: 1/s, file: pipe}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	day := " --day weekday --start 09:00 --window 2h --days 3"
	for _, line := range []string{
		"size --load-curve pipe --service-time 1s --max-blocking 1%",
		"size --swf pipe --max-blocking 1%",
		"queue classes --capacity 10 --classes pipe",
		"queue mva pipe",
		"queue jackson pipe",
		"queue links pipe",
		"route pipe --rate 1/s",
		"replicas --trace pipe --target 99%",
		"replicas --pool pipe --target 99%",
		"lifetime pipe",
		"lp pipe",
		"fit pipe",
		"plan pipe",
		"plan routing.yaml",
		"allocate pipe",
		"allocate jobs.csv --resources pipe",
		"allocate verify pipe pipe",
		"availability label pipe",
		"availability predict pipe" + day,
		"availability fit pipe" + day,
		"availability fit pipe pipe" + day,
		"availability rank pipe" + day,
		"availability evaluate pipe --day weekday",
		"availability replay pipe",
		"availability solve pipe --window 1h",
		"availability label " + root + "/host-small.csv --holidays pipe",
		"reproduce ishare-figure-11 --trace pipe",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(50*time.Millisecond, cancel)
		var out, errs bytes.Buffer
		code := run(ctx, strings.Fields("capplan "+line), nil, &out, &errs)
		timer.Stop()
		if code != 1 || !strings.Contains(errs.String(), "capplan: interrupted") {
			t.Errorf("%s: exit code %d, %s", line, code, errs.String())
		}
		cancel()
	}
	// The second point of a sweep would find nothing in a pipe, or wait for another writer.
	for _, line := range []string{
		"sweep route pipe --over rate=1/s,2/s",
		"sweep lifetime pipe --over level=90%,95%",
		"sweep size --service-time 1s --max-blocking 1% --over load-curve=pipe,other",
	} {
		if _, stderr, code := runLine(t, "capplan "+line); code != 2 || !strings.Contains(stderr, `"pipe" is a pipe`) {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
	// What is written to is looked at before it is opened.
	for _, line := range []string{"init pipe", "plan routing.yaml --out pipe", "availability record pipe"} {
		if stdout, stderr, code := runLine(t, "capplan "+line); code != 2 {
			t.Errorf("%s: exit code %d, %s%s", line, code, stdout, stderr)
		}
	}
}
