package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// New makes the document of a plan. program names what made it. Its figures are
// drawn by [page.Document.Draw], which a page and a folder of files want and text does
// not. An answer that is not there, of a question not asked or infeasible, has no section.
func New(q *planner.PlanQuestion, a *planner.PlanAnswer, program string) *page.Document {
	d := &page.Document{Title: a.Name, Seed: a.Seed, Program: program, Inputs: inputs(q)}
	d.Title = cmp.Or(d.Title, "Capacity plan")
	if a.Uncertainty != nil {
		d.Draws = a.Uncertainty.Samples
	}
	// A question without an answer keeps no other from being answered.
	for _, p := range a.Infeasible {
		d.Problems = append(d.Problems, page.Problem{Question: p.Question, Reason: p.Reason})
	}
	for _, s := range planSections(q, a) {
		if s == nil {
			continue
		}
		// Sections of commands begin with a small letter, since they follow the name of a command;
		// on a page they are sentences.
		s.Lead = say.Capital(s.Lead)
		d.Sections = append(d.Sections, s)
	}
	d.Warnings = untold(a.Warnings, d.Sections)
	answer(d, q, a)
	return d
}

// untold are the warnings that no section has among its notes: each stands once on a page, beside the
// answer that it is about where there is one.
func untold(warnings []string, sections []*page.Section) []string {
	var left []string
	for _, w := range warnings {
		if !slices.ContainsFunc(sections, func(s *page.Section) bool { return slices.Contains(s.Notes, w) }) {
			left = append(left, w)
		}
	}
	return left
}

// planSections are the sections of a plan in the order in which one thinks, nil
// for what it does not ask. Each is made by the function that makes it for its command.
func planSections(q *planner.PlanQuestion, a *planner.PlanAnswer) []*page.Section {
	// What leads a plan stands first: what to buy, then how sure that is.
	all := []*page.Section{loadSection(a), mixSection(q, a), machinesSection(q, a), frontierSection(a),
		uncertaintySection(a), sensitivitySection(a)}
	if a.Size != nil {
		// A plan with machines sizes servers of speed 1 first and chooses machines for them then.
		word := "" // where machines of several speeds stand beside
		if len(a.Machines) > 0 {
			word = " of speed 1"
		}
		all = append(all, sizeOf(a.Size, word))
	}
	if a.Routing != nil {
		all = append(all, ofLeading(Route(a.Routing, ""), a, routesMix(q)))
	}
	all = append(all, planReplicas(a.Replicas))
	if a.Epoch != nil {
		all = append(all, ofLeading(Epoch(a.Epoch), a, a.Epoch.PublicShare != nil))
	}
	if a.Link != nil {
		all = append(all, ofLeading(Link(a.Link), a, a.Link.PublicShare != nil))
	}
	if a.Checkpoint != nil {
		all = append(all, Checkpoint(a.Checkpoint))
	}
	if a.Bag != nil {
		all = append(all, Finish(a.Bag))
	}
	if a.Predict != nil {
		all = append(all, Predict(a.Predict))
	}
	if a.Rank != nil && len(a.Rank.Hosts) > 0 {
		all = append(all, Rank(a.Rank))
	}
	if a.Allocation != nil {
		all = append(all, ofLeading(Allocation(a.Allocation), a, allocatesMix(q)))
	}
	return all
}

// answer says what the whole document comes to. With machines the mix is the answer, with servers
// alone their number, else the first section speaks for all.
func answer(d *page.Document, q *planner.PlanQuestion, a *planner.PlanAnswer) {
	d.Answer = "No question of this scenario has an answer."
	if len(d.Sections) > 0 {
		d.Answer = d.Sections[0].Lead
	}
	d.Glance = glance(q, a)
	switch {
	case a.Mix != nil:
		d.Answer = mixSentence(q, a)
		d.Points = mixPoints(q, a)
		for i, p := range d.Problems {
			// A mix that exists but breaks a limit such as a budget is no answer: the limit is.
			if p.Question == "mix" { // a limit from the other side: that is the answer
				d.Points = append([]string{"Without that limit: " + d.Answer}, d.Points...)
				d.Answer = say.Capital(p.Reason) + "."
				d.Glance = nil
				d.Problems = append(d.Problems[:i:i], d.Problems[i+1:]...)
				break
			}
		}
	case a.Size != nil:
		// Other sections may stand before that of the size.
		for _, s := range d.Sections {
			if s.ID == "size" {
				d.Answer = s.Lead
			}
		}
	}
}

// FileNames lists the files that the folder of a plan may hold, with / between
// folders: whoever replaces an earlier plan takes these away and no others. A new section with data
// or figures adds its name here, or --force leaves its old files behind.
func FileNames() []string {
	names := []string{"report.html", "result.json", "scenario.yaml", "scenario.json"}
	for _, t := range strings.Fields("mix machines frontier candidates sensitivity staffing routing availability " +
		"ranking allocation finish") {
		names = append(names, t+".csv")
	}
	for _, f := range strings.Fields("mix frontier uncertainty sensitivity size staffing routing routing-2 replicas " +
		"epoch link checkpoint finish availability ranking allocation") {
		names = append(names, "plots/"+f+".svg", "plots/"+f+".png")
	}
	return names
}
