// A protocol of one's own: other names for cancels and progress, other params in them, and other rules. Here a request
// is a "job", which the client may stop; then it does not hear of it again.
//
//   example-own_profile
//   {"jsonrpc":"2.0","id":1,"method":"count","params":{"to":3,"ms":500}}
//   {"jsonrpc":"2.0","method":"job/stop","params":{"job":1,"why":"bored"}}

#include <partyline/partyline.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <optional>
#include <string_view>

class job_protocol final : public partyline::profile {
public:
    constexpr job_protocol() noexcept
    {
        cancel_method = "job/stop";
        progress_method = "job/at";
        metadata = "about";     // {"about":{"progress":"my token"}} in the params of a request: no method declares it
        token_parent = "about"; // where the token for its progress stands
        progress_token = "progress"; // and how it is called there
        answers_cancelled = false;   // who stops a job does not hear of it again
        allows_array_params = false; // nor are params by position taken
        allows_batches = false;
        binding.empty = partyline::empty_optionals::null;
    }

    // What is cancelled, {"job": id}: with this a client's cancel is read, ...
    std::string_view read_cancel(partyline::json_view params, partyline::message_reader& reader) const override
    {
        std::string_view text;
        std::string_view key;
        return reader.find_id(params, "job", text, key) ? key : std::string_view();
    }

    // ... and with this ours are written.
    void write_cancel(partyline::byte_buffer& out, std::string_view id, std::string_view reason) const override
    {
        out.append(R"({"job":)");
        out.append(id);
        out.append(R"(,"why":)");
        partyline::write_string(out, reason);
        out.push_back('}');
    }

    // Progress, {"job": token, "at": value}.
    std::optional<partyline::unwritable> write_progress(partyline::byte_buffer& out, std::string_view token,
                                                        const boost::json::value& value,
                                                        std::size_t max_depth) const override
    {
        out.append(R"({"job":)");
        out.append(token);
        out.append(R"(,"at":)");
        auto problem = partyline::write_value(out, value, max_depth);
        out.push_back('}');
        return problem;
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
