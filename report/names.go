package report

import "strings"

// FileNames lists the files that the folder of a plan may hold, with / between
// folders: whoever replaces an earlier plan takes these away and no others.
func FileNames() []string {
	names := []string{"report.html", "result.json", "scenario.yaml", "scenario.json"}
	for _, t := range strings.Fields("mix machines frontier candidates sensitivity staffing routing availability ranking allocation finish") {
		names = append(names, t+".csv")
	}
	for _, f := range strings.Fields("mix frontier uncertainty sensitivity size staffing routing routing-2 replicas epoch link checkpoint finish availability ranking allocation") {
		names = append(names, "plots/"+f+".svg", "plots/"+f+".png")
	}
	return names
}
