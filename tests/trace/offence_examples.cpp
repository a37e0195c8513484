#include "tests/trace/offence_examples.h"

namespace heddle {
namespace {

// clang-format off
constexpr OffenceExample kExamples[] = {
    {Rule::event_after_exit, "T2 reads x after the exit of the process",
     R"(T1 exit)", R"(T2 r x)", R"(T2 w x)",
     R"(T1 exit)"},
    {Rule::event_after_end, "T1 reads x after its end",
     R"(T1 begin
        T1 end)", R"(T1 r x)", R"(T1 w x
        T2 join T1)",
     R"(T1 begin
        T1 end
        T1#2 r x
        T1#2 w x
        T2 join T1#2)"},
    {Rule::event_after_join, "T1 reads x after it was joined",
     R"(T1 w x
        T2 join T1)", R"(T1 r x)", "",
     R"(T1 w x
        T2 join T1
        T1#2 r x)"},
    {Rule::event_while_waiting, "T1 reads x while it waits on c",
     R"(T1 acq L
        T1 wait c L
        T2 acq L
        T2 notify c
        T2 rel L)", R"(T1 r x)", R"(T1 rel L)",
     R"(T1 acq L
        T1 wait c L
        T2 acq L
        T2 notify c
        T2 rel L
        T1 wake c
        T1 acq L
        T1 r x
        T1 rel L)"},
    {Rule::event_while_waiting, "T1 acquires L while it waits on c",
     R"(T1 acq L
        T1 wait c L)", R"(T1 acq L)", R"(T1 rel L)",
     R"(T1 acq L
        T1 wait c L
        T1 timeout c
        T1 acq L
        T1 rel L)"},
    {Rule::event_while_waiting, "T1 reads x while it waits on c",
     R"(T1 acq L
        T1 wait c L
        T2 acq L
        T2 notifyall c)", R"(T1 r x)", R"(T2 rel L
        T1 rel L)",
     R"(T1 acq L
        T1 wait c L
        T2 acq L
        T2 notifyall c
        T1 wake c
        T2 rel L
        T1 acq L
        T1 r x
        T1 rel L)"},
    {Rule::event_inside_barrier, "T1 reads x while it stands in b",
     R"(# barrier b 2
        T1 arrive b)", R"(T1 r x)", R"(T2 arrive b
        T2 r x
        T1 w x)",
     R"(T1 arrive b
        T2 arrive b
        T2 leave b
        T2 r x
        T1 leave b
        T1 w x)"},
    {Rule::begin_not_first, "T1 begins, but has done something before",
     R"(T1 r x)", R"(T1 begin)", R"(T1 w x)",
     R"(T1 r x
        T1 w x)"},
    {Rule::second_begin, "T1 begins a second time",
     R"(T1 begin)", R"(T1 begin)", R"(T1 w x)",
     R"(T1 begin
        T1 w x)"},
    {Rule::self_fork, "T1 forks T1, itself",
     R"(T1 begin)", R"(T1 fork T1)", "",
     R"(T1 begin)"},
    {Rule::second_fork, "T1 forks T2, which was forked before",
     R"(T1 fork T2)", R"(T1 fork T2)", R"(T2 r x)",
     R"(T1 fork T2
        T2 r x)"},
    {Rule::late_fork, "T1 forks T2, which has run or was joined before",
     R"(T2 r x)", R"(T1 fork T2)", R"(T2 w x)",
     R"(T2 r x
        T2 w x)"},
    {Rule::late_fork, "T1 forks T2, which has run or was joined before",
     R"(T1 fork T2
        T2 r x
        T1 join T2)", R"(T1 fork T2)", R"(T2 w x
        T1 join T2
        T1 fork T2
        T2 r y)",
     R"(T1 fork T2
        T2 r x
        T1 join T2
        T1 fork T2#2
        T2#2 w x
        T1 join T2#2
        T1 fork T2#3
        T2#3 r y)"},
    {Rule::self_join, "T1 joins T1, itself",
     R"(T1 r x)", R"(T1 join T1)", R"(T1 w x)",
     R"(T1 r x
        T1 w x)"},
    {Rule::join_of_blocked_thread, "T2 joins T1, which waits on c",
     R"(T1 acq L
        T1 wait c L)", R"(T2 join T1)", "",
     R"(T1 acq L
        T1 wait c L
        T1 timeout c
        T2 join T1)"},
    {Rule::join_of_blocked_thread, "T2 joins T1, which stands in b",
     R"(# barrier b 2
        T1 arrive b)", R"(T2 join T1)", R"(T2 arrive b
        T1 leave b)",
     R"(T1 arrive b
        T2 arrive b
        T1 leave b)"},
    {Rule::release_without_acquire, "T1 releases L, which nobody holds",
     R"(T1 r x)", R"(T1 rel L)", R"(T1 w x)",
     R"(T1 r x
        T1 w x)"},
    {Rule::foreign_release, "T2 releases L, which T1 holds",
     R"(T1 acq L)", R"(T2 rel L)", R"(T2 acq L
        T1 rel L
        T2 rel L)",
     R"(T1 acq L
        T1 rel L
        T2 acq L
        T2 rel L)"},
    {Rule::foreign_release, "T2 reader-releases L, which T1 reads",
     R"(# lock L readers-writer
        T1 racq L)", R"(T2 rrel L)", R"(T2 acq L)",
     R"(T1 racq L
        T1 rrel L
        T2 acq L)"},
    {Rule::foreign_release, "T2 releases L, which T1 holds",
     R"(T1 acq L
        T1 end)", R"(T2 rel L)", "",
     R"(T1 acq L
        T1 end)"},
    {Rule::release_in_wrong_mode, "T1 releases L, which it holds as a reader",
     R"(# lock L readers-writer
        T1 racq L)", R"(T1 rel L)", R"(T2 acq L)",
     R"(T1 racq L
        T1 rrel L
        T2 acq L)"},
    {Rule::reentrant_acquire, "T1 acquires L, which it holds already",
     R"(T1 acq L)", R"(T1 acq L)", R"(T1 acq L
        T1 w x
        T1 rel L
        T1 rel L
        T1 r x
        T1 rel L
        T2 acq L)",
     R"(T1 acq L
        T1 w x
        T1 r x
        T1 rel L
        T2 acq L)"},
    {Rule::reentrant_acquire, "T1 acquires L, which it holds already",
     R"(T1 acq L)", R"(T1 acq L)", R"(T1 wait c L
        T2 notify c
        T1 wake c
        T1 acq L
        T1 rel L
        T1 r x
        T1 rel L)",
     R"(T1 acq L
        T1 wait c L
        T2 notify c
        T1 wake c
        T1 acq L
        T1 r x
        T1 rel L)"},
    {Rule::acquire_while_held, "T2 acquires L, which T1 holds",
     R"(T1 acq L)", R"(T2 acq L)", R"(T1 rel L
        T2 rel L)",
     R"(T1 acq L
        T1 rel L
        T2 acq L
        T2 rel L)"},
    {Rule::acquire_while_held, "T3 acquires L, which T1 and 1 more read",
     R"(# lock L readers-writer
        T1 racq L
        T2 racq L)", R"(T3 acq L)", R"(T2 rrel L
        T1 rrel L)",
     R"(T1 racq L
        T2 racq L
        T1 rrel L
        T2 rrel L
        T3 acq L)"},
    {Rule::acquire_while_held, "T2 acquires L, which T1 holds",
     R"(T1 acq L
        T1 end)", R"(T2 acq L)", R"(T2 r x
        T2 rel L)",
     R"(T1 acq L
        T1 end
        T2 r x)"},
    {Rule::reader_event_on_plain_lock, "T1 reader-acquires L, which is a mutex lock",
     R"(T1 acq L
        T1 rel L)", R"(T1 racq L)", R"(T1 rrel L)",
     R"(T1 acq L
        T1 rel L
        T1 acq L
        T1 rel L)"},
    {Rule::failure_on_free_lock, "T1 fails to acquire L, though it could have had it",
     R"(T1 acq L
        T1 rel L)", R"(T1 tryfail L)", "",
     R"(T1 acq L
        T1 rel L)"},
    {Rule::failure_on_free_lock, "T1 fails to acquire L, though it could have had it",
     R"(# lock L recursive
        T1 acq L
        T2 tryfail L)", R"(T1 tryfail L)", "",
     R"(T1 acq L
        T2 tryfail L)"},
    {Rule::wait_without_lock, "T1 waits on c without holding L",
     R"(T2 acq L)", R"(T1 wait c L)", R"(T2 notify c
        T1 wake c
        T1 r x)",
     R"(T2 acq L
        T2 notify c
        T1 r x)"},
    {Rule::wait_on_nested_lock, "T1 waits on c and holds L 2 times",
     R"(# lock L recursive
        T1 acq L
        T1 acq L)", R"(T1 wait c L)", R"(T1 timeout c
        T1 acq L
        T1 rel L
        T1 r x
        T1 rel L)",
     R"(T1 acq L
        T1 acq L
        T1 rel L
        T1 wait c L
        T1 timeout c
        T1 acq L
        T1 r x
        T1 rel L)"},
    {Rule::wake_without_wait, "T1 wakes from c, but does not wait on it",
     R"(T2 notify c)", R"(T1 wake c)", R"(T1 r x)",
     R"(T2 notify c
        T1 r x)"},
    {Rule::wake_without_notify, "T1 wakes from c, but no notify can have woken it",
     R"(T2 notify c
        T1 acq L
        T1 wait c L)", R"(T1 wake c)", "",
     R"(T2 notify c
        T1 acq L
        T1 wait c L
        T1 timeout c)"},
    {Rule::timeout_after_notify, "T1 times out on c, but a notify has picked it",
     R"(T1 acq L
        T1 wait c L
        T2 notify c
        T2 acq L
        T2 wait c L)", R"(T1 timeout c)", R"(T2 timeout c)",
     R"(T1 acq L
        T1 wait c L
        T2 notify c
        T2 acq L
        T2 wait c L
        T1 wake c
        T2 timeout c)"},
    {Rule::semaphore_wait_at_zero, "T1 takes s, whose count is 0",
     R"(# semaphore s 1
        T1 semwait s)", R"(T1 semwait s)", R"(T2 post s
        T1 semwait s)",
     R"(T1 semwait s
        T2 post s
        T1 semwait s)"},
    {Rule::failure_on_positive_semaphore, "T1 fails to take s, whose count is above 0",
     R"(T1 semfail s
        T2 post s)", R"(T1 semfail s)", "",
     R"(T1 semfail s
        T2 post s)"},
    {Rule::leave_without_arrive, "T1 leaves b without having arrived",
     R"(T1 arrive b
        T1 leave b)", R"(T1 leave b)", "",
     R"(T1 arrive b
        T1 leave b)"},
    {Rule::early_leave, "T1 leaves b before all its parties arrived",
     R"(# barrier b 2
        T1 arrive b)", R"(T1 leave b)", R"(T2 arrive b
        T2 leave b serial)",
     R"(T1 arrive b
        T2 arrive b
        T2 leave b serial)"},
    {Rule::wrong_serial_bit,
     "T1 leaves b with the serial return value, but was not the last to arrive",
     R"(# barrier b 2
        T1 arrive b
        T2 arrive b)", R"(T1 leave b serial)", R"(T2 leave b serial)",
     R"(T1 arrive b
        T2 arrive b
        T1 leave b
        T2 leave b serial)"},
    {Rule::wrong_serial_bit,
     "T2 leaves b without the serial return value, though it was the last to arrive",
     R"(T1 arrive b
        T1 leave b serial
        T2 arrive b)", R"(T2 leave b)", "",
     R"(T1 arrive b
        T1 leave b serial
        T2 arrive b
        T2 leave b serial)"},
    {Rule::wrong_serial_bit,
     "T2 leaves b with the serial return value, which an earlier last arriver did not get",
     R"(T1 arrive b
        T1 leave b
        T2 arrive b)", R"(T2 leave b serial)", "",
     R"(T1 arrive b
        T1 leave b
        T2 arrive b
        T2 leave b)"},
    {Rule::once_already_running, "T2 begins to run o, which T1 runs",
     R"(T1 oncebegin o)", R"(T2 oncebegin o)", R"(T2 onceend o
        T1 onceend o)",
     R"(T1 oncebegin o
        T1 onceend o)"},
    {Rule::once_already_done, "T2 begins to run o, which is done",
     R"(T1 oncebegin o
        T1 onceabort o
        T1 oncebegin o
        T1 onceend o)", R"(T2 oncebegin o)", "",
     R"(T1 oncebegin o
        T1 onceabort o
        T1 oncebegin o
        T1 onceend o)"},
    {Rule::once_end_without_begin, "T2 aborts o, which it does not run",
     R"(T1 oncebegin o)", R"(T2 onceabort o)", R"(T1 onceend o)",
     R"(T1 oncebegin o
        T1 onceend o)"},
    {Rule::once_pass_before_done, "T2 passes by o, which is not done",
     R"(T1 oncebegin o)", R"(T2 oncepass o)", R"(T1 onceend o
        T2 oncepass o)",
     R"(T1 oncebegin o
        T1 onceend o
        T2 oncepass o)"},
    {Rule::late_alloc, "T1 allocates R, which was used before",
     R"(# location x R 0 4
        T1 r x)", R"(T1 alloc R)", R"(T1 free R)",
     R"(T1 r x
        T1 free R)"},
    {Rule::second_alloc, "T1 allocates R a second time",
     R"(T1 alloc R)", R"(T1 alloc R)", "",
     R"(T1 alloc R)"},
    {Rule::access_after_free, "T2 modifies x, which is freed",
     R"(# location x R 0 4
        T1 w x
        T1 free R)", R"(T2 rmw x)", R"(T2 r y)",
     R"(T1 w x
        T1 free R
        T2 r y)"},
    {Rule::second_free, "T2 frees R a second time",
     R"(T1 free R)", R"(T2 free R)", "",
     R"(T1 free R)"},
    {Rule::value_without_writer, "T2 reads x and sees 2, but 1 is there",
     R"(T1 w x =1)", R"(T2 r x =2)", R"(T2 r x =1)",
     R"(T1 w x =1
        T2 r x
        T2 r x =1)"},
    {Rule::value_without_writer, "T2 reads x and sees 2, but 1 is there",
     R"(T1 r x =1)", R"(T2 r x =2)", "",
     R"(T1 r x =1
        T2 r x)"},
    {Rule::value_without_writer, "T2 modifies x and sees 2, but 1 is there",
     R"(# location x R 0 4
        # location half R 2 2
        T1 w x =1
        T1 w half =7
        T1 r x =5
        T1 w x =1)", R"(T2 rmw x =3 was=2)", R"(T2 r x =9
        T2 r half =0)",
     R"(T1 w x =1
        T1 w half =7
        T1 r x =5
        T1 w x =1
        T2 rmw x
        T2 r x =9
        T2 r half =0)"},
};
// clang-format on

}  // namespace

std::span<const OffenceExample> offence_examples() { return kExamples; }

}  // namespace heddle
