// Package availability holds the commands that answer: how likely is this machine
// free through a window?
//
// [Command] is the group, and each file one of its commands: label, fit, predict,
// rank, replay, evaluate and solve ask planner/machines; record samples the machine
// that one sits at, and generate makes up a laboratory of machines. [HostInput]
// reads traces by the flags that all of them share; reproduce reads by it too.
package availability
