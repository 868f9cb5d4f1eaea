// A protocol of one's own: other names for cancels and progress, other params in them, and other rules. Here a request
// is a "job", which the client may stop; then it does not hear of it again.
//
//   example-own_profile
//   {"jsonrpc":"2.0","id":1,"method":"count","params":{"to":3,"ms":500}}
//   {"jsonrpc":"2.0","method":"job/stop","params":{"job":1,"why":"bored"}}

#include <partyline/partyline.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>

class job_protocol final : public partyline::profile {
public:
    constexpr job_protocol() noexcept
    {
        cancel_method = "job/stop"; // {"job": id, "why": text}
        cancel_id = "job";
        cancel_reason = "why";
        progress_method = "job/at"; // {"job": token, "at": value}
        progress_id = "job";
        progress_value = "at";
        metadata = "about";     // {"about":{"progress":"my token"}} in the params of a request: no method declares it
        token_parent = "about"; // where the token for its progress stands
        progress_token = "progress"; // and how it is called there
        answers_cancelled = false;   // who stops a job does not hear of it again
        allows_array_params = false; // nor are params by position taken
        allows_batches = false;
        binding.empty = partyline::empty_optionals::null;
    }
};

constexpr job_protocol jobs; // lives as long as the program; nothing in it changes

partyline::task<int> count(partyline::request_context& context, int to, int ms)
{
    boost::asio::steady_timer timer(context.get_executor());
    for (int i = 1; i <= to; ++i) {
        co_await context.progress(i);
        timer.expires_after(std::chrono::milliseconds(ms));
        co_await timer.async_wait(boost::asio::deferred);
    }
    co_return to;
}

int main()
{
    partyline::method_table methods;
    methods.add("count", count, {"to", "ms"});
    methods.add("ask", [](partyline::request_context& context) -> partyline::task<int> {
        const auto options = partyline::call_options().timeout(std::chrono::milliseconds(1));
        co_return co_await context.call<int>("how_many", options);
    });
    partyline::stdio_options options;
    options.session.profile = &jobs;
    return partyline::run_stdio(std::move(methods), std::move(options));
}
