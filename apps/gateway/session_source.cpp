#include "gateway/session_source.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace gateway {
namespace {

// So many requests of the server wait for the client's answers. More are held back, and all messages after them but
// replies.
constexpr std::size_t most_questions = 101;

class session_source final : public server_source, public std::enable_shared_from_this<session_source> {
public:
    session_source(partyline::session to, answer_maker no_answer, std::function<void(partyline::error_code)> on_failure)
        : session_(std::move(to)), no_answer_(std::move(no_answer)), on_failure_(std::move(on_failure))
    {
    }

    void start(std::function<void(partyline::error_code)> on_end) override
    {
        session_.async_run([late = weak_from_this(), on_end = std::move(on_end)](partyline::error_code why) {
            if (const auto self = late.lock())
                on_end(self->failure_of(why));
        });
    }
    void close() override
    {
        is_ending_ = true;
        session_.close();
    }
    void stop() noexcept override
    {
        is_ending_ = true;
        try {
            session_.stop();
        } catch (const std::bad_alloc&) { // it ends with its executor
        }
    }
    partyline::caller& server() override { return session_; }
    partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details) const override
    {
        return no_answer_(why, details);
    }

private:
    partyline::error_code failure_of(partyline::error_code why) const
    {
        if (!why || is_ending_)
            return {};
        on_failure_(why);
        return why;
    }

    partyline::session session_;
    answer_maker no_answer_;
    std::function<void(partyline::error_code)> on_failure_;
    bool is_ending_ = false; // by us
};

} // namespace

partyline::session_options session_options_for(const server_use& use, const partyline::session_options& given)
{
    partyline::session_options how = given;
    how.profile = use.profile;
    how.executor_is_serial = true; // each thread has a context of its own
    how.log = use.log;
    how.on_message = use.on_message;
    how.bounds.in_flight_requests = std::min(how.bounds.in_flight_requests, most_questions);
    return how;
}

std::shared_ptr<server_source> make_session_source(partyline::session to, answer_maker no_answer,
                                                   std::function<void(partyline::error_code)> on_failure)
{
    return std::make_shared<session_source>(std::move(to), std::move(no_answer), std::move(on_failure));
}

} // namespace gateway
