// Package sharing has the law of responses under processor sharing without checks, for
// the models of package queueing: whoever calls it has checked servers and load at his
// door. A [Law] is a Gauss rule of the chain that one customer sees; its functions of
// the number present are held state by state, or as polynomials where that is many.
package sharing
