package main

import "github.com/capplan/capplan/internal/cmdline"

// terms are the words that help, answers and papers use, in the order of the
// alphabet. A word belongs here where help or an answer uses it and a reader from another field
// would ask; help terms prints them. Papers are named by the same short names in all sources.
var terms = []cmdline.Term{
	{
		Name:    "AIC",
		Meaning: "Akaike's information criterion of a law fitted to data, by which laws are compared: the less the better; two more are little, ten are much.",
	},
	{
		Name:    "AWRT",
		Meaning: "average weighted response time of leases: each counts by the node-seconds that it takes (InterGrid).",
	},
	{Name: "blocking",
		Meaning: "that an arrival finds all servers busy. It is then lost (model loss) or has to wait (model wait)."},
	{
		Name:    "BOINC, XWHEP",
		Meaning: "servers that hand tasks to machines of volunteers. BOINC sends each task to several and waits long for one that is silent, XWHEP notices at once who left.",
	},
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
		Name:    "FCFS, PS, SJF, SRPT, FB",
		Meaning: "in which order work is served: first come, first served; all at once in equal shares; the shortest job first; the job with the shortest rest first; the one that has been served least first.",
	},
	{
		Name:    "fractional need",
		Meaning: "the number of servers, not whole, at which a limit is met exactly. It says how much room the whole number above it leaves.",
	},
	{
		Name:    "gap",
		Meaning: "how far an answer can be from the best one: the distance to a bound that nothing passes, over the greater of the two.",
	},
	{
		Name:    "GI/G/c, M/M/c, M/G/1",
		Meaning: "names of queues: how arrivals come, how long services last, how many servers. M is exponential, so that arrivals are Poisson; G any law; D a constant; GI any law of gaps that do not depend on each other.",
	},
	{
		Name:    "headroom, N+k",
		Meaning: "machines beyond those that the objectives ask for, so that any k of them, or whole zones, may be lost and the objectives are still met.",
	},
	{
		Name:    "InterGrid",
		Meaning: "the paper on one stream of leases over clusters that also serve local ones, and may preempt for them.",
	},
	{Name: "iShare", Meaning: "the papers on guest jobs on machines of others, which are foreseen by their states S1 to S5."},
	{
		Name:    "KS",
		Meaning: "Kolmogorov-Smirnov distance: how far the share of data up to a value and that of the law fitted to them are apart at most.",
	},
	{
		Name:    "least regret",
		Meaning: "the choice that costs least on average above the choice that would have been right, had one known; what is missing is paid for.",
	},
	{
		Name:    "LP",
		Meaning: "linear program: the greatest revenue if jobs could be split in fractions. No assignment earns more, so that it is a bound.",
	},
	{Name: "MIPS", Meaning: "million instructions a second: the unit of speed in the papers."},
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
		Name:    "MTBF",
		Meaning: "mean time between failures, to one of which work is lost; where repair takes no time, that to a failure.",
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
	{
		Name:    "peakedness",
		Meaning: "variance over mean of the number of servers that would be busy if there were always enough: 1 for Poisson arrivals, more where they come in bursts.",
	},
	{Name: "percentile",
		Meaning: "the 95th percentile of a time is the time that 95% of arrivals do not exceed; p95 for short."},
	{Name: "public",
		Meaning: "machines that come and go, such as spot instances or desktops lent: jobs on them run in replicas."},
	{
		Name:    "QoS-GRAF",
		Meaning: "the paper on jobs at levels of service on resources that fail: what they earn, and where their backups are.",
	},
	{Name: "replica", Meaning: "a copy of a job on another public machine, so that one is alive if the others leave."},
	{
		Name:    "S1, S2, S3, S4, S5",
		Meaning: "the states of a machine lent to guests (iShare): S1 and S2 leave room for a guest job, at a light and at a heavy load of its own; S3 is short of processor, S4 of memory, and in S5 the machine is gone.",
	},
	{
		Name:    "SCV",
		Meaning: "squared coefficient of variation: variance over squared mean. 0 is a constant, 1 exponential or Poisson, more than 1 bursty.",
	},
	{
		Name:    "SE",
		Meaning: "standard error: by how much an estimate misses on average. Two of them either way hold the truth in 95% of cases.",
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
	{
		Name:    "year",
		Meaning: "365 days, 8,760 hours, in prices and durations, and a month of a price a twelfth of it; growth counts from a date to the same date of the next year.",
	},
}
