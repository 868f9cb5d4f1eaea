#pragma once

#include "event_counts.hpp"

#include <partyline/rpc/method_table.hpp>

#include <functional>
#include <memory>

namespace partyline::test {

/// What both sides of a conversation serve:
///
/// add (a, b); echo; fail (code, message); descend (depth): by calls from side to side; ask (method, params): what the
/// caller answers to that call. count (to): progress from 1 on; tick (ms): progress all that time; delay (ms).
/// turn (index, of, size): answers when all have come, the last one first. hold: until it is cancelled or input ends;
/// stubborn: until let_go, whatever happens. happened (what, times): waits for that.
/// note (n) is a notification, notes what has come of it. vanish is one, too: the side is gone without a word, by the
/// function given here.
method_table make_methods(std::shared_ptr<event_counts> seen, std::function<void()> vanish);

} // namespace partyline::test
