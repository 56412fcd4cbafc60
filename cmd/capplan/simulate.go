package main

func simulateCommand() *command {
	return &command{
		name: "simulate", usage: "what does this system do, by simulation?",
		description: `Systems that closed forms do not cover, or only roughly. Every figure comes with
its 95 % interval; --seed makes a run anew.`,
		children: []func() *command{simulateLeasesCommand, simulateBotCommand, simulateHostsCommand, simulatePoolCommand},
	}
}
