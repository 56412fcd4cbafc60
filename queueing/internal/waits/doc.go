// Package waits has the laws of waits that package queueing and its rooms share:
// [Exponential], and [Patient] where those who wait may give up.
package waits
