package adversary

import (
	"os"
	"path/filepath"
	"strings"
)

// files are the texts that each reader is meant for, as files of the module's
// testdata.
var files = map[string][]string{
	"allocation.ReadBatch":       {"batch.yaml", "batch.jsonl", "batch-budget.yaml"},
	"allocation.ReadBatchAnswer": {"batch-answer.json"},
	"allocation.ReadBatchTables": {"batch-jobs.csv", "batch-resources.csv"},
	"traffic.Read":               {"day.csv", "requests.csv"},
	"traffic.ReadService":        {"requests.csv"},
	"joblog.ReadSWF":             {"das2-tiny.swf"},
	"machines.ReadKernel":        {"kernel.json"},
	"planner.ReadClosedNetwork":  {"closed.yaml"},
	"planner.ReadJobClasses":     {"classes.yaml", "mix.yaml"},
	"planner.ReadLinkNetwork":    {"links.yaml"},
	"planner.ReadOpenNetwork":    {"open.yaml"},
	"planner.ReadScenario":       {"scenario.yaml"},
	"routes.ReadClusters":        {"clusters.yaml"},
	"survival.ReadPool":          {"machines.csv", "machines.yaml"},
	"trace.ReadDurations":        {"durations.csv"},
	"trace.ReadFTA":              {"events.tab"},
	"trace.ReadHostTrace":        {"host-small.csv", "hosts-small.csv"},
	"trace.ReadSpot":             {"spot.json"},
}

// written down here are texts for the readers whose format no file of testdata
// has.
var writtenTexts = map[string][]string{
	"trace.ReadCloudWatch": {
		"timestamp,value\n2014-02-14 14:30:00,12.5\n2014-02-14 14:35:00,\n2014-02-14 14:40:00,99\n",
	},
	"trace.ReadDates": {"2024-05-01\n2024-12-25\n", "# none\n"},
	"trace.ReadLANL": {
		"System,nodenumz,Prob Started,Prob Fixed,Down Time\n2,0,1/2/1970 0:00,1/2/1970 1:00,60\n2,0,1/3/1970 0:30,1/3/1970 2:00,90\n",
	},
	"trace.ReadSpotPrices": {
		"time,price_usd_per_hour\n1970-01-02 00:00:00+00:00,0.5\n86410,0.25\n86420,\n86430,1\n",
	},
}

// ownTexts returns what a reader is meant for, the first lines of long files,
// nothing for what is no reader.
var ownTexts = remember(func(name string) []string {
	all := writtenTexts[name]
	for _, f := range files[name] {
		data, err := os.ReadFile(filepath.Join(testdata, f))
		if err != nil {
			panic(err)
		}
		text := string(data)
		if cut := 6000; len(text) > cut {
			text = text[:strings.LastIndexByte(text[:cut], '\n')+1]
		}
		all = append(all, text)
	}
	return all
})

// testdata is found before a test changes its folder.
var testdata = func() string {
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		panic(err)
	}
	return dir
}()
