package serve

import (
	"context"
	"errors"
	"math"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// wantBrowser in the environment runs what needs a browser.
const wantBrowser = "CAPPLAN_WANT_CHROMIUM"

// screens in the environment is a folder to keep screenshots in, to be looked at.
const screens = "CAPPLAN_SCREENS"

// newBrowser starts chromium, once for all that a test looks at.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	if os.Getenv(wantBrowser) == "" {
		t.Skipf("%s=1 looks at the page in chromium, as a step of CI does", wantBrowser)
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil { // starts it: a time limit would be the browser's
		t.Fatal(err)
	}
	ctx, stop = context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(stop)
	return ctx
}

// screenshot keeps one where a folder for them is named.
func screenshot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv(screens)
	if folder == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A step is something that a person does.
type step = chromedp.Action[chromedp.Void]

// evaluated is an expression of the page as a text.
func evaluated(ctx context.Context, expression string) string {
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`String(`+expression+`)`))
	if err != nil {
		return err.Error()
	}
	return text
}

// until waits for an expression to hold. (Poll of chromedp makes code of a text,
// which the policy of the page forbids.)
func until(expression string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for range 1200 {
			if ok, err := chromedp.Evaluate[bool](expression)(ctx, target); err != nil || ok {
				return err
			}
			time.Sleep(50 * time.Millisecond)
		}
		return errors.New("it is never so: " + expression)
	})
}

// says waits until the status line says something.
func says(text string) step {
	return until(`document.getElementById("status").textContent.includes(` + strconv.Quote(text) + `)`)
}

// noted waits until the line at the buttons says what came of a file.
func noted(text string) step {
	return until(`document.getElementById("kept").textContent === ` + strconv.Quote(text))
}

// typed puts a text into a field, as a person does.
func typed(id, text string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := chromedp.Evaluate[bool](`(() => { const e = document.getElementById(`+strconv.Quote(id)+`);
			e.value = `+strconv.Quote(text)+`; return e.dispatchEvent(new Event("input")); })()`)(ctx, target)
		return err
	})
}

// number is a text of the page as a number, NaN where it is none.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// A person fills in the page, by mouse and by keyboard alone, on a screen and on a
// phone, by day and by night, and keeps what comes of it.
func TestPage(t *testing.T) {
	ctx := newBrowser(t)
	s := newServer(t, Options{})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	run := func(what string, actions ...step) {
		t.Helper()
		if err := chromedp.Do(ctx, actions...); err != nil {
			t.Fatalf("%s: %v: the page says %q, wrong is %q", what, err,
				evaluated(ctx, `document.getElementById("status").textContent`), evaluated(ctx, `document.getElementById("problem").textContent`))
		}
	}
	value := func(expression string) string { return evaluated(ctx, expression) }

	// The page asks by itself, and each change is answered: 2/min of 5 min each
	// are 10 erlangs, 3/min are 15. (Numbers of servers: the command size.)
	run("open", chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server.URL), says("14 servers for 10 erl"))
	screenshot(t, ctx, "desk")
	// All that the browser fetched until the first answer stood there.
	const fetched = `performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))`
	if kilobytes := value(fetched + `.reduce((sum, e) => sum + e.transferSize, 0) / 1000`); !(number(kilobytes) > 15 && number(kilobytes) < 150) {
		t.Errorf("the page takes %s kB, want less than 150", kilobytes)
	} else {
		t.Logf("%s kB; interactive after %s ms, all fetched after %s ms", kilobytes,
			value(`performance.getEntriesByType("navigation")[0].domInteractive`),
			value(`Math.max(...`+fetched+`.map((e) => e.responseEnd))`))
	}
	// A slider without a number above it has nothing to move.
	still := func() string { return value(`document.querySelector("#size-price input[type=range]").disabled`) }
	if got := still(); got != "true" {
		t.Errorf("the slider of an empty price is disabled: %s", got)
	}
	run("fill in", typed("field-rate", "3/min"), says("for 15 erl"))
	if got := value("location.hash"); !strings.Contains(got, "rate=3%2Fmin") {
		t.Errorf("the URL does not hold what is asked: %s", got)
	}
	if value(`document.querySelectorAll("#answer svg").length > 0`) != "true" {
		t.Error("no figure is drawn")
	}

	// What is wrong is said at its field, and goes away.
	run("type nonsense", typed("field-rate", "3/mon"),
		until(`!document.getElementById("problem").hidden && document.getElementById("field-rate").getAttribute("aria-invalid") === "true"`))
	screenshot(t, ctx, "wrong")

	// With a price the answer says what the servers cost: 19 for 15 erlangs.
	run("a price", typed("field-rate", "3/min"), typed("field-price", "$0.50/h"), says("$9.50/h"))
	if got := still(); got != "false" {
		t.Errorf("the slider of a price is disabled: %s", got)
	}
	screenshot(t, ctx, "price")
	if got := value("location.hash"); !strings.Contains(got, "price=%240.50%2Fh") {
		t.Errorf("the URL does not hold the price: %s", got)
	}
	run("a wrong price", typed("field-price", "0.50/lightyear"),
		until(`document.getElementById("field-price").getAttribute("aria-invalid") === "true"`))

	// Headroom, without a price and with one: 19 servers, one more to lose any
	// of them, and 29 to lose one of three zones.
	run("a spare server", typed("field-price", ""), says("19 servers"), typed("field-spare", "1"), says("20 servers"))
	run("a zone", typed("field-spare", ""), typed("field-zones", "3"), says("29 servers"))
	screenshot(t, ctx, "headroom")
	run("a spare server at a price", typed("field-zones", ""), typed("field-spare", "1"), typed("field-price", "$0.50/h"),
		says("20 servers for $10/h"))

	// The link brings the question back.
	run("open the link", chromedp.Navigate("about:blank"),
		chromedp.Navigate(server.URL+"/#ask=size&kind=load&objective=max_blocking&load=120&max_blocking=1%25"), says("138 servers for 120 erl"))

	// By keyboard alone: from the top to the load, which a slider then moves.
	for range 12 {
		if value("document.activeElement.id") == "field-load" {
			break
		}
		run("tab", chromedp.KeyEvent(kb.Tab))
	}
	if got := value("document.activeElement.id"); got != "field-load" {
		t.Fatalf("the keyboard does not reach the load, it is at %q", got)
	}
	run("type", chromedp.KeyEvent("\b\b\b\b10"), says("for 10 erl"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.ArrowRight))
	if got := value(`document.getElementById("field-load").value`); got != "10.14" { // 10 · 4^0.01
		t.Errorf("the slider makes the load %s, want 10.14", got)
	}
	if got := value("document.activeElement.getAttribute('aria-valuetext')"); got != "10.14" {
		t.Errorf("a screen reader hears %q of the slider", got)
	}
	if got := value(`[...document.querySelectorAll("input, select, textarea")].filter((e) => !(e.labels.length || e.getAttribute("aria-label"))).map((e) => e.id).join()`); got != "" {
		t.Errorf("no label: %s", got)
	}

	// A scenario: its values become fields, and a change of one changes the answer.
	run("a scenario", chromedp.Click(chromedp.CSS("#ask-plan")), says("138 servers"), until(`document.getElementById("field-objectives-max-blocking")`+" !== null"))
	run("change a limit", typed("field-objectives-max-blocking", "0.1%"), says("151 servers"))
	screenshot(t, ctx, "scenario")

	// A phone at night: nothing is wider than the screen.
	run("a phone at night", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile),
		chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
			})
			return err
		}))
	screenshot(t, ctx, "phone-dark")
	if got := value("document.documentElement.scrollWidth <= 390"); got != "true" {
		t.Errorf("the page is %s wide on a phone of 390", value("document.documentElement.scrollWidth"))
	}
	if got := value("getComputedStyle(document.body).backgroundColor"); got != "rgb(20, 23, 26)" {
		t.Errorf("at night the page is %s", got)
	}

	// Both files are kept, with what was changed.
	folder := t.TempDir()
	run("export", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior:     browser.SetDownloadBehaviorBehaviorAllow,
			DownloadPath: folder,
		})
		return err
	}),
		chromedp.Click(chromedp.CSS("#export-scenario")), noted("scenario.yaml is made"), chromedp.Click(chromedp.CSS("#export-report")), noted("report.html is made"))
	for name, want := range map[string]string{"scenario.yaml": "objectives: {max_blocking: 0.1%}", "report.html": "151 servers"} {
		if text := downloaded(filepath.Join(folder, name)); !strings.Contains(text, want) {
			t.Errorf("%s does not hold %q: %.300s", name, want, text)
		}
	}

	// A server that has gone is said of a file too.
	server.CloseClientConnections()
	server.Close()
	run("export of a server that has gone", chromedp.Click(chromedp.CSS("#export-scenario")), noted("scenario.yaml was not made"),
		until(`document.getElementById("problem").textContent.includes("is capplan serve still running")`))
}

// downloaded waits for a file of the browser.
func downloaded(path string) string {
	for range 300 {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			return string(text)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ""
}
