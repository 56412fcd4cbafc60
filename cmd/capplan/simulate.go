package main

import "github.com/capplan/capplan/internal/cmdline"

func simulateCommand() *cmdline.Command {
	return &cmdline.Command{
		Name: "simulate", Usage: "what does this system do, by simulation?",
		Description: `Systems that closed forms do not cover, or only roughly. Every figure comes with
its 95 % interval; --seed makes a run anew.

  $ capplan simulate station --servers 2 --rate 1.6/s --service-time 1s --order srpt --replications 5`,
		Children: []func() *cmdline.Command{simulateStationCommand, simulateLeasesCommand, simulateBotCommand, simulateHostsCommand, simulatePoolCommand},
	}
}
