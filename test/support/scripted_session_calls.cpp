#include "support/scripted_session.hpp"

#include <utility>

namespace partyline::test {

void scripted_session::call(std::string method, call_params params, call_options options)
{
    if (has_session_)
        calls_.call(talk.server(), std::move(method), std::move(params), std::move(options));
}

void scripted_session::notify(std::string method, call_params params)
{
    if (has_session_)
        calls_.notify(talk.server(), std::move(method), std::move(params));
}

void scripted_session::batch(call_batch calls, call_options options)
{
    if (has_session_)
        calls_.batch(talk.server(), std::move(calls), std::move(options));
}

void scripted_session::abandon(std::size_t number)
{
    if (number < calls_.size())
        calls_.cancel(number);
}

void scripted_session::close()
{
    if (has_session_)
        talk.server().close();
}

void scripted_session::complete(std::size_t calls)
{
    wait_until([&] { return calls_.completions() + handlers_calls_.completions() >= calls; });
}

} // namespace partyline::test
