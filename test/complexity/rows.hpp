#pragma once

#include <functional>
#include <map>
#include <string>

namespace partyline::test {

/// What is to be done of a row: made ready by the first call, done by the second, which is what counts.
using work = std::function<void()>;

/// By name: of what a hostile peer does, or of ordinary work of the same size.
const std::map<std::string, std::function<work(bool is_hostile)>>& rows();
/// The row of that name.
work sessions(bool is_hostile);

} // namespace partyline::test
