package main

import "github.com/capplan/capplan/internal/cmdline"

// terms are the words that help, answers and papers use, in the order of the
// alphabet.
var terms = []cmdline.Term{
	{Name: "blocking",
		Meaning: "that an arrival finds all servers busy. It is then lost (model loss) or has to wait (model wait)."},
	{
		Name:    "capacity equivalent, worth",
		Meaning: "the number of servers of speed 1 that serve as much as a machine, or a fleet, does: its speed times the share of time that it is there, over the replicas of a job on it.",
	},
	{Name: "dedicated", Meaning: "machines that are there all the time, in contrast to public ones."},
	{
		Name:    "epoch",
		Meaning: "the time between two rounds of scheduling, in which jobs are moved between dedicated and public machines (PCU chapter 5).",
	},
	{
		Name:    "erlang, erl",
		Meaning: "the unit of offered load: arrival rate times mean service time, the mean number of servers that would be busy if there were always enough. 2 calls a minute of 5 minutes each are 10 erl.",
	},
	{
		Name:    "Erlang B",
		Meaning: "the share of arrivals lost where those that find all servers busy go away. It does not depend on the law of the service times, only on their mean.",
	},
	{Name: "Erlang C",
		Meaning: "the share of arrivals that have to wait where nobody goes away and service times are exponential."},
	{
		Name:    "fractional need",
		Meaning: "the number of servers, not whole, at which a limit is met exactly. It says how much room the whole number above it leaves.",
	},
	{
		Name:    "gap",
		Meaning: "how far an answer can be from the best one: the bound that nothing exceeds, over the answer, less one.",
	},
	{
		Name:    "least regret",
		Meaning: "the choice that costs least on average above the choice that would have been right, had one known; what is missing is paid for.",
	},
	{
		Name:    "MLBA",
		Meaning: "minimum loss backup allocation (QoS-GRAF): which resource takes over each job, and at which level, if the one of its primary fails.",
	},
	{
		Name:    "MOL",
		Meaning: "modified offered load: servers over the day by the mean number busy in a system with servers enough, which lags and flattens the arrivals.",
	},
	{
		Name:    "MRPA",
		Meaning: "maximum revenue primary allocation (QoS-GRAF): which job runs on which resource at which level of service.",
	},
	{
		Name:    "MTTF, MTTR",
		Meaning: "mean time to failure and mean time to repair of a machine. It is there MTTF / (MTTF + MTTR) of the time.",
	},
	{Name: "offered load", Meaning: "see erlang."},
	{
		Name:    "PAP",
		Meaning: "preemption-aware policy (InterGrid): clusters get the shares of a stream with which its mean response is least. Beside it: rr (the same rate everywhere), lrf (least rate first: more where the local rate is low), bcf (biggest cluster first: in proportion to power).",
	},
	{
		Name:    "PCU",
		Meaning: "the paper on computing with dedicated servers beside a public pool, whose machines are slower and come and go.",
	},
	{Name: "percentile",
		Meaning: "the 95th percentile of a time is the time that 95% of arrivals do not exceed; p95 for short."},
	{Name: "public",
		Meaning: "machines that come and go, such as spot instances or desktops lent: jobs on them run in replicas."},
	{Name: "replica", Meaning: "a copy of a job on another public machine, so that one is alive if the others leave."},
	{
		Name:    "S1, S2, S3, S4, S5",
		Meaning: "the states of a machine lent to guests (iShare): S1 and S2 leave room for a guest job, at a light and at a heavy load of its own; S3 is short of processor, S4 of memory, and in S5 the machine is gone.",
	},
	{
		Name:    "SCV",
		Meaning: "squared coefficient of variation: variance over squared mean. 0 is a constant, 1 exponential or Poisson, more than 1 bursty.",
	},
	{Name: "service level",
		Meaning: "the share of arrivals that wait no longer than the limit, as 80% within 20 seconds."},
	{
		Name:    "SIPP, lagged SIPP",
		Meaning: "servers over the day, each interval as if its load had always been there; lagged: by the arrivals one mean service time before.",
	},
	{
		Name:    "SMP",
		Meaning: "semi-Markov process: states with times in them that need not be exponential; by it availability predicts from a record of a machine.",
	},
	{
		Name:    "SpeQuloS",
		Meaning: "what starts cloud workers near the end of a bag of tasks, by a strategy such as 9C-C-R: once nine tenths are completed, conservative in their number, rescheduling to them what still runs.",
	},
	{Name: "temporal reliability",
		Meaning: "the chance that a machine stays free for guest work through a whole window of time."},
	{Name: "utilization", Meaning: "the share of time that a server is busy."},
}
