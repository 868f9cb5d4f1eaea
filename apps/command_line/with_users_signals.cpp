#include "command_line/with_users_signals.hpp"

#include "transport/ignored_hang_up.hpp"

namespace command_line {

void with_users_signals(const std::function<void()>& start)
{
    const partyline::ignored_hang_up inherited;
    start();
}

} // namespace command_line
