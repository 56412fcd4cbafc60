// Package lasting keeps which share of the tasks given out is still left, cell by cell.
//
//	Shares   products of the shares that stay in each cell, with their inverses
//	Kept     the share that stays in a cell that begins between two others
//
// A course with help counts tasks over the share that lasts of them. A task given out in a cell
// then stays one number, whatever happens to it later, until the product is so small that its
// inverse would overflow and starts anew from 1 ([Restart]).
//
//	symbol  name                         unit
//	        Same                         share of what was on machines first
//	        Over                         1/Same
//	        Apart  Same^(s/(s+1))        share of what was given to a worker first
//	s       spare                        results of a task that may be missing
package lasting
