package main

func simulateCommand() *command {
	return &command{
		name: "simulate", usage: "what does this system do, by simulation?",
		description: `Systems that closed forms do not cover, or only roughly. Every figure comes with
its 95 % interval; --seed makes a run anew.

  $ capplan simulate station --servers 2 --rate 1.6/s --service-time 1s --order srpt --replications 5`,
		children: []func() *command{simulateStationCommand, simulateLeasesCommand, simulateBotCommand, simulateHostsCommand, simulatePoolCommand},
	}
}
