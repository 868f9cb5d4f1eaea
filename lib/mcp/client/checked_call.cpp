#include "mcp/client/checked_call.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_answers.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/joined_tasks.hpp"
#include "mcp/client/lists.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace partyline::mcp {
namespace {

using output_schema = std::optional<schema>;

// One that can't be checked by may be another one in the next list.
output_schema known_output(client_core& of, const std::string& name)
{
    return read_or_drop(of.results(), methods::list_tools, [&] { return of.outputs().find(name); });
}

// The tool is noted once more, as the last one, since there may be no room for all.
output_schema note_output(client_core& of, const std::string& name, const std::vector<tool_info>& all,
                          std::uint64_t epoch)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const tool_info& one) { return one.name == name; });
    if (of.outputs().epoch() != epoch) // it is good for this call, and no other one
        return found == all.end() ? output_schema() : compile_output(*found);
    if (found != all.end())
        of.outputs().note(*found);
    else
        of.outputs().note_missing(name);
    return known_output(of, name);
}

// By one call at a time: those that wait find what it has found.
task<output_schema> look_up_output(std::shared_ptr<client_core> of, std::string name)
{
    auto [failed, alone] = co_await of->tool_turns().async_lock(asio::as_tuple(asio::deferred));
    if (failed)
        throw failed_call(failed);
    if (of->outputs().knows(name))
        co_return known_output(*of, name);
    const std::uint64_t epoch = of->outputs().epoch();
    task<std::vector<tool_info>> listing = list_all<tool_info>(of);
    const std::vector<tool_info> all = co_await std::move(listing);
    co_return note_output(*of, name, all, epoch);
}

task<output_schema> find_output(std::shared_ptr<client_core> of, std::string name, time_limit limit)
{
    if (of->outputs().knows(name))
        co_return known_output(*of, name);
    std::vector<task<output_schema>> work;
    work.push_back(look_up_output(of, std::move(name)));
    task<std::vector<output_schema>> looking =
        join_tasks(of, std::move(work), limit, "the list of tools took too long");
    std::vector<output_schema> found = co_await std::move(looking);
    co_return std::move(found.front());
}

// Empty: nothing is wrong. A call that has failed says so in words, and need not fit.
std::string output_problem(const tool_answer& answer, const output_schema& wanted)
{
    if (!wanted || answer.is_error)
        return {};
    if (!answer.structured)
        return "structuredContent: expected what the outputSchema says, got nothing";
    const auto problems = wanted->check_within(parse_result(methods::call_tool, *answer.structured));
    if (!problems) // nobody knows
        return {};
    std::string all;
    for (const mismatch& one : *problems) {
        all.append(all.empty() ? "structuredContent" : "; structuredContent");
        if (!one.where.empty())
            all.append(" at \"").append(one.where).append("\"");
        all.append(": expected ").append(one.expected).append(", got ").append(one.got);
    }
    return all;
}

[[noreturn]] void fail_misfit(const std::string& tool, const std::string& wrong)
{
    constexpr std::size_t longest_shown = 1000;
    throw failed_call(client_errc::bad_result,
                      printable(std::string(methods::call_tool) + " \"" + tool + "\": " + wrong, longest_shown));
}

// By whoever has called, or has the client: not by the server.
bool is_given_up(error_code how) noexcept
{
    return how == asio::error::operation_aborted || how == errc::session_closed;
}

// What is wrong by what is listed now. The call was made: where the list can't be had, its result still does not fit.
task<std::string> problem_now(std::shared_ptr<client_core> of, std::string name, const tool_answer& answer,
                              std::string first, time_limit limit)
{
    of->results().drop(methods::list_tools);
    of->outputs().forget(name);
    try {
        task<output_schema> looking = find_output(of, std::move(name), limit);
        const output_schema now = co_await std::move(looking);
        co_return output_problem(answer, now);
    } catch (const rpc_error&) { // it is not told what the server lists
    } catch (const failed_call& failed) {
        if (is_given_up(failed.code()))
            throw;
    }
    co_return first;
}

} // namespace

bool checks_results(const client_core& of)
{
    if (!of.options().check_results)
        return false;
    of.check_started();
    return of.server().revision >= revision::v2025_06_18;
}

// What does not fit may be of a tool that has changed, of which servers need not tell.
task<tool_answer> checked_call(std::shared_ptr<client_core> of, std::string name, std::string members, call_hooks hooks)
{
    const time_limit limit(hooks.timeout);
    task<output_schema> looking = find_output(of, name, limit);
    const output_schema known = co_await std::move(looking);
    hooks.timeout = limit.left();
    task<json_text> calling = of->call(std::string(methods::call_tool), std::move(members), std::move(hooks));
    const json_text reply = co_await std::move(calling);
    tool_answer answer = read_tool_answer(reply, of->era());
    std::string wrong = output_problem(answer, known);
    if (!wrong.empty()) {
        task<std::string> looking_again = problem_now(of, name, answer, std::move(wrong), limit);
        wrong = co_await std::move(looking_again);
    }
    if (!wrong.empty())
        fail_misfit(name, wrong);
    co_return answer;
}

} // namespace partyline::mcp
