package papers

import "github.com/capplan/capplan/internal/papers/paper"

// notReproduced are the figures and tables of the papers that no model here
// computes. They are listed so that nobody looks for them in vain; each says why.
func notReproduced() []paper.Reproducible {
	return append([]paper.Reproducible{
		{
			Name:    "pcu-figure-1-3",
			Source:  "PCU figures 1 to 3, table 1",
			Title:   "Taxonomy, speeds and a Markov model of other work",
			Differs: "nothing is computed in the paper: they are drawn from other sources",
		},
		{
			Name:    "ishare-figure-1",
			Source:  "iShare figures 1 to 5, 8 and 9, tables 1 and 4",
			Title:   "Slowdown of host processes, the states and the system",
			Differs: "measurements on machines that are not to be had, and drawings",
		},
		{
			Name:   "spequlos-figure-3",
			Source: "SpeQuloS figures 3 and 8, tables 3 and 5",
			Title:  "The modules, their deployment, the bags and tasks of a deployment",
			Differs: "nothing is computed in the paper: drawings, the bags that are simulated (simulate bot --bag), " +
				"and counts of a deployment",
		},
	}, wordsAlone()...)
}

// wordsAlone are printed claims that no figure of this program has a verdict on, by
// paper, each with its reason. All others stand beside the figure that they are of. A claim is left
// out where the paper measures what no model has, or prints nothing to compare.
func wordsAlone() []paper.Reproducible {
	// The name ends in -text, which is how the list groups them by paper.
	claims := func(of, name, what string) paper.Reproducible {
		return paper.Reproducible{
			Name:    name,
			Source:  of + ", claims in words",
			Title:   "Claims that no verdict is given on, and why",
			Differs: what,
		}
	}
	return []paper.Reproducible{
		claims("PCU", "pcu-text", "live migrations stop a machine for 100 ms and take 2 to 3 minutes (3.5): "+
			"measured by others; round-robin on the dedicated machines would swamp the link (4.2): "+
			"a policy that the paper does not run either; the best jobs are found in O(N log n) (4.3): "+
			"nothing is timed; down-time is insignificant beside the capacity gained (5.6): "+
			"it is part of the running time of pcu-figure-14, and what would be significant is not said; "+
			"virtual machines, credits and trust: outside what is computed"),
		claims("InterGrid", "intergrid-text", "the tests of variance (two-way ANOVA, 5.2.2): "+
			"no factors and no result are printed; P-values of Student's tests: each says what the printed interval "+
			"says, which is compared; a precision finer than 0.001 changes nothing (5.2): "+
			"PAP is solved to the last digit here; normality and equal variances were ensured (5.2.2): "+
			"no data are printed; why leases of some kinds are preempted more or less (5.3): "+
			"explanations, not results"),
		claims("iShare", "ishare-text", "the thresholds of 20 and 60 % and what a guest slows its host by (3): "+
			"measured on machines that are not to be had; monitoring takes less than 1 % of CPU and memory (8.1): "+
			"of the paper's monitor; most jobs take less than 10 h (8.1), and availability is lower than in related "+
			"work (5.1): of users and traces that are not printed; failures of less than 5 min are those of "+
			"system processes (5.2): no trace here says which process it was"),
		claims("QoS-GRAF", "qos-graf-text", "shared risk groups handle failures that cascade (5.5): proposed, "+
			"without a number; translating agreements to resources, and moving state to backups (2, 3): assumed, "+
			"not measured"),
		claims("SpeQuloS", "spequlos-text", "how much has to be changed for each strategy (3.5): of software, "+
			"not of its figures; the deployment on EDGI, its tasks and users (5, table 5): counts of a service; "+
			"bags proceed at one rate until the tail begins (2.2), and the ideal time stays close to the time of "+
			"most tasks: what spequlos-figure-1 draws for one bag, without a number; xwhep and boinc cannot be "+
			"compared in time (4.3.1): a caution, and none is"),
	}
}
