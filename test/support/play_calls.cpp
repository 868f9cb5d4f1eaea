#include "support/play.hpp"

#include <utility>

namespace partyline::test {

void play::call(std::string method, call_params params, call_options options)
{
    if (has_session_)
        calls_.call(talk.server(), std::move(method), std::move(params), std::move(options));
}

void play::notify(std::string method, call_params params)
{
    if (has_session_)
        calls_.notify(talk.server(), std::move(method), std::move(params));
}

void play::batch(call_batch calls, call_options options)
{
    if (has_session_)
        calls_.batch(talk.server(), std::move(calls), std::move(options));
}

void play::abandon(std::size_t number)
{
    if (number < calls_.size())
        calls_.cancel(number);
}

void play::close()
{
    if (has_session_)
        talk.server().close();
}

void play::complete(std::size_t calls)
{
    wait_until([&] { return calls_.completions() + handlers_calls_.completions() >= calls; });
}

} // namespace partyline::test
