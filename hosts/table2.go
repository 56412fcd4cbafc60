package hosts

import (
	"math"
	"slices"

	"github.com/capplan/capplan/law"
)

// A Trace is a row of SpeQuloS table 2: what is published of a record of machines.
type Trace struct {
	Name           string
	Days           float64 // its length
	Mean, SD       float64 // of the number of machines there
	Least, Most    float64
	UpQuartiles    [3]float64 // of the time that one stays, s
	DownQuartiles  [3]float64 // of the time that one is away, s
	Speed          Speed
	LongestOutage  float64 // s, that the law of Down is cut at, which the table does not say
	PublishedUsage string  // what kind of machines
}

// Traces returns SpeQuloS table 2. The longest outage is a reading: 30 days, 10
// days for the best-effort queues, whose records are of 31 days.
func Traces() []Trace { return slices.Clone(table2[:]) }

var table2 = [...]Trace{
	{
		Name: "seti", Days: 120, Mean: 24391, SD: 6793, Least: 15868, Most: 31092,
		UpQuartiles: [3]float64{61, 531, 5407}, DownQuartiles: [3]float64{174, 501, 3078},
		Speed: Speed{1000, 250}, LongestOutage: 30 * Day, PublishedUsage: "desktops of volunteers",
	},
	{
		Name: "nd", Days: 413.87, Mean: 180, SD: 4.129, Least: 77, Most: 501,
		UpQuartiles: [3]float64{952, 3840, 26562}, DownQuartiles: [3]float64{640, 960, 1920},
		Speed: Speed{1000, 250}, LongestOutage: 30 * Day, PublishedUsage: "desktops of a university",
	},
	{
		Name: "g5klyo", Days: 31, Mean: 90.573, SD: 105.4, Least: 6, Most: 226,
		UpQuartiles: [3]float64{21, 51, 63}, DownQuartiles: [3]float64{191, 236, 480},
		Speed: Speed{3000, 0}, LongestOutage: 10 * Day, PublishedUsage: "a best-effort queue",
	},
	{
		Name: "g5kgre", Days: 31, Mean: 474.69, SD: 178.7, Least: 184, Most: 591,
		UpQuartiles: [3]float64{5, 182, 11268}, DownQuartiles: [3]float64{23, 547, 6891},
		Speed: Speed{3000, 0}, LongestOutage: 10 * Day, PublishedUsage: "a best-effort queue",
	},
	{
		Name: "spot10", Days: 90, Mean: 82.186, SD: 3.814, Least: 29, Most: 87,
		UpQuartiles: [3]float64{4415, 5432, 17109}, DownQuartiles: [3]float64{4162, 5034, 9976},
		Speed: Speed{3000, 300}, LongestOutage: 30 * Day, PublishedUsage: "spot instances for 10 dollars an hour",
	},
	{
		Name: "spot100", Days: 90, Mean: 823.95, SD: 4.945, Least: 196, Most: 877,
		UpQuartiles: [3]float64{1063, 5566, 22490}, DownQuartiles: [3]float64{383, 1906, 10274},
		Speed: Speed{3000, 300}, LongestOutage: 30 * Day, PublishedUsage: "spot instances for 100 dollars an hour",
	},
}

// Platform returns machines like those of the trace: laws through its quartiles,
// that of Up with the mean that makes the mean number of machines there come out
// of the most ever seen,
//
//	A = Mean/Most,  E a = E u A/(1 − A),  N = round(Mean/A)
//
// Where the quartiles do not allow that mean (Notre Dame, whose most is an
// outlier) A is what they give, and N follows it. Source: the laws are readings,
// see [FromQuartiles]; the table gives neither means nor numbers of machines.
func (t Trace) Platform() (*Platform, error) {
	down, err := FromQuartiles(t.DownQuartiles[0], t.DownQuartiles[1], t.DownQuartiles[2], t.LongestOutage)
	if err != nil {
		return nil, err
	}
	a := t.Mean / t.Most
	up, err := FromQuartilesWithMean(t.UpQuartiles[0], t.UpQuartiles[1], t.UpQuartiles[2], down.Mean()*a/(1-a))
	if err != nil {
		return nil, err
	}
	p := &Platform{Name: t.Name, Up: up, Down: down, Speed: t.Speed}
	p.Count = int(math.Round(t.Mean / share(law.Law(up), law.Law(down))))
	return p, p.Check()
}
