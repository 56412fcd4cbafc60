// Package bags answers: when is a bag of tasks done on machines that leave, and
// what does help buy? A [Bag] is many tasks that wait for nothing but a machine.
//
// Package [github.com/capplan/capplan/bags/spequlos] decides while a bag runs;
// package sim/bot simulates both.
//
// Bibliography: Delamare, Fedak, Kondo, Lodygensky, SpeQuloS, INRIA RR-7890,
// 2012; Minh, Wolters, Towards a profound analysis of bags-of-tasks in parallel
// systems, HPDC 2011.
package bags
