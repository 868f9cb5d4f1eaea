// Sessions of an MCP server, of clients of any era, fed with anything.
//
// However the input is cut and whatever happens meanwhile, a session must come to an end, say whole lines of JSON-RPC
// as MCP has it, and answer no id more often than it was asked. Where all that can happen has happened before the next
// piece comes, a request that is cancelled before it has its answer has none.

#include "fuzz/fuzz_input.hpp"
#include "fuzz/mcp_ledger.hpp"
#include "fuzz/mcp_offer.hpp"
#include "fuzz/session_ledger.hpp"
#include "fuzz/session_run.hpp"
#include "fuzz/session_steps.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

using namespace partyline::test;
using partyline::message;
using partyline::message_type;
using partyline::session_options;

namespace {

/// A server of its own, which has let go of the methods that its session begins with: then they are gone with that.
struct offer {
    std::shared_ptr<partyline::mcp::server> server = make_mcp_offer();
    std::shared_ptr<const partyline::dispatcher> methods = server->methods();

    offer()
    {
        server->add_tool("last", "Is added", [] {});
    }
};

// What the answers to a stream must be.
class expectation {
public:
    explicit expectation(const partyline::profile& speaks) : speaks_(speaks) {}

    /// A line is about to be whole; `said` is what has come of those before.
    void take(std::string_view line, std::string_view said)
    {
        const std::string text(line); // a reader wants a NUL behind it
        const message& m = reader_.read(text);
        if (m.type == message_type::request && !asked_.emplace(m.id_key).second)
            again_.emplace(m.id_key);
        if (m.type != message_type::notification || m.method != speaks_.cancel_method)
            return;
        const std::string id(speaks_.read_cancel(m.params, reader_));
        if (asked_.contains(id) && !read_mcp_answers(said).ids.contains(id))
            cancelled_.insert(id);
    }

    void check(std::string_view said, const asked& stream) const
    {
        const answered all = read_mcp_answers(said);
        if (!all.is_certain)
            return;
        for (const std::string& id : cancelled_) {
            const auto times = stream.ids.find(id);
            const bool is_asked_once = times != stream.ids.end() && times->second == 1 && !again_.contains(id);
            require(!is_asked_once || !all.ids.contains(id), "what is cancelled has no answer", said);
        }
    }

private:
    const partyline::profile& speaks_;
    partyline::message_reader reader_{partyline::limits()};
    std::set<std::string> asked_;
    std::set<std::string> again_;
    std::set<std::string> cancelled_;
};

// Handlers may wait until they are stopped, and questions be left without an answer.
bool is_usual_end(const partyline::error_code& result)
{
    return !result || result == boost::asio::error::operation_aborted || result == partyline::errc::peer_closed;
}

void send_settled(session_run& run, fuzz_input& input, std::string_view line)
{
    while (!line.empty()) {
        const std::size_t size = piece_size(input.choose_again(9), line.size());
        run.send(line.substr(0, size));
        run.settle();
        line.remove_prefix(size);
    }
}

void run_settled(const session_options& options, const offer& served, fuzz_input& input, const asked& stream)
{
    session_run run(served.methods, options, choose_capacity(input));
    expectation expected(*options.profile);
    for (std::string_view text = input.text(); !text.empty();) {
        const std::size_t size = std::min(text.find('\n'), text.size());
        expected.take(text.substr(0, size), run.said());
        const std::size_t with_end = std::min(size + 1, text.size());
        send_settled(run, input, text.substr(0, with_end));
        text.remove_prefix(with_end);
    }
    run.end_input();
    run.settle();
    run.finish();
    require(is_usual_end(run.result()), "a session whose input has ended ends well", run.result().message());
    expected.check(run.said(), stream);
    check_ids(stream, read_mcp_answers(run.said()), run.said());
}

void run_without_expectation(session_options options, const offer& served, fuzz_input& input)
{
    options.bounds.message_bytes = input.choose_of({std::size_t(1) << 24, 64, 80, 100, 200, 1'000});
    options.bounds.depth = input.choose_of({128, 1, 2, 3, 5});
    choose_room(input, options);
    const asked stream = read_requests(input.text(), options.bounds);
    session_run run(served.methods, options, choose_capacity(input));
    run_freely(run, input, input.text());
    if (!run.is_cut_off())
        check_ids(stream, read_mcp_answers(run.said()), run.said());
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const bool is_free = input.choose(2) != 0;
    const offer served;
    session_options options;
    options.executor_is_serial = true;
    served.server->prepare(options);
    if (is_free)
        run_without_expectation(options, served, input);
    else
        run_settled(options, served, input, read_requests(input.text(), options.bounds));
    return 0;
}
