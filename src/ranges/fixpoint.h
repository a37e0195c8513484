// Range propagation with lookahead 1: the least solution of inequalities over all points.
//
// For each point p and each time t (ages.h), `arrived` is what the thread brings there up to
// that time, and `here` what it goes on with:
//   here(p, t)     holds  arrived(p, t);
//   arrived(q, t') holds  what an edge from p to q makes of here(p, t), where t' is so much
//                         later than t as q is older than p;
//   here(p, t)     holds  the words of arrived(s, t) that s's thread has written itself, for
//                         each context switch from s to p, if anything has arrived at p and
//                         t is not later than p's last time;
//   here(p, t)     holds  the initial values that are in arrived(s, t), for each context switch
//                         from s, where p's thread has been forked, to p, where it begins.
// A thread that nobody has to fork begins with the initial values.
//
// A step reads what was written last, by its own thread, whose value stays in that thread's
// environments, or by another one, whose value comes from there by one switch: no third thread
// need carry it. So a thread does not hear from others of what it will write only later.
//
// Everything here grows with what it is made from, and a graph has its say only by its
// context switches, not by where its transactions end. So if the switches of one graph are among
// those of another, its intervals are within the other's.
//
// To get the solution, walks are cut where more than one thing comes together: at the graph's
// nodes, where switches end, and where ways of a thread meet. There arrivals wait until their
// time has come.
#pragma once

#include "ranges/propagate.h"

namespace heddle::ranges {

Propagation find_fixpoint(const Graph& graph);

}  // namespace heddle::ranges
