// Independent transactions: where each thread may be interrupted.
//
// A boundary is a point where a transaction begins or ends: on every way through a thread the
// part between two boundaries is one independent transaction.
//
// With three threads or more, transactions that are atomic pair by pair need not be atomic for
// all: a ring of three waits can go through the middle of each. It cannot if every step that
// is not the last of its transaction conflicts only with steps that cannot come between it
// and that last step. `split` ends transactions until that holds. Then every execution, up
// to the order of independent steps, is a sequence of whole transactions: consider what each
// thread's next transaction waits for. If all of them wait for one another in a ring, then
// somewhere in the ring a step y of one, not its last, came before the step x of the next
// that the ring goes through, and x before y's transaction went on.
#pragma once

#include "ranges/mats.h"

namespace heddle::ranges {

using Boundaries = Table<PointId, bool>;

// Behind every step with a shared access: the paper's transactions without MAT analysis.
Boundaries access_boundaries(const Program& program);
// Where transactions of MATs begin and end.
Boundaries mat_boundaries(const Program& program, const std::vector<Mat>& mats);
// With `where` only at its boundaries, which must need no splitting themselves.
void split(const Program& program, Boundaries& boundaries, const Boundaries* where = nullptr);

}  // namespace heddle::ranges
