// Our client with a foreign server that has tasks and skills, that of extensions_server.mjs or of rust_server:
//   extensions_driver legacy|2026-07-28 COMMAND...|URL
// Tasks are there from 2026-07-28 on.

#include <partyline/http/mcp_client.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/mcp_extensions/client_skills.hpp>
#include <partyline/mcp_extensions/client_tasks.hpp>
#include <partyline/session/task.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;

namespace {

using namespace std::chrono_literals;
using partyline::task;

void expect(bool is_so, const std::string& what)
{
    if (!is_so)
        throw std::runtime_error(what);
}

void expect_equal(std::string_view found, std::string_view expected)
{
    expect(found == expected, "found \"" + std::string(found) + "\", expected \"" + std::string(expected) + '"');
}

std::vector<std::string> sorted(std::vector<std::string> words)
{
    std::sort(words.begin(), words.end());
    return words;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

// The failure of an operation that must fail: code and message of the peer's error, or the message of our own code.
template <class Outcome>
task<std::string> failure_of(Outcome outcome)
{
    try {
        co_await std::move(outcome);
    } catch (const partyline::rpc_error& answered) {
        co_return std::to_string(answered.error().code) + ' ' + answered.error().message;
    } catch (const boost::system::system_error& failed) {
        co_return failed.code().message();
    }
    co_return "no error";
}

std::string message_of(partyline::error_code code)
{
    return code.message();
}

// Skills

// What a YAML library reads of the one SKILL.md that is compared, see extensions_server.mjs and rust_server/skills.
json::object read_yaml(std::string_view text)
{
    expect(text.starts_with("name: refunds\n"), "the frontmatter is " + std::string(text));
    return {{"name", "refunds"},
            {"description", "Pays customers back: by the rules"},
            {"license", "Apache-2.0"},
            {"metadata", json::object{{"version", "1.2"}}},
            {"allowed-tools", "Read Grep"}};
}

task<> read_files(const mcp::client_skills& skills, const mcp::skill& refunds)
{
    const mcp::resource_part text = co_await skills.read(refunds);
    expect(text.data.ends_with("Fill in `templates/form.md`.\n"), "SKILL.md is " + text.data);
    const mcp::resource_part form = co_await skills.read(refunds, "templates/form.md");
    expect_equal(form.data, "Order: ä\nSum:\n");
    const mcp::resource_part logo = co_await skills.read(refunds, "logo.png");
    expect(logo.is_binary, "the picture is text");
    expect_equal(logo.data, std::string_view("\x89PNG\r\n\x1a\n\0", 9));
}

// A file that differs from its entry is refused, so the client does compare them.
task<> read_wrong(const mcp::client_skills& skills, const mcp::skill& refunds)
{
    auto unlisted_outcome = skills.read(refunds, "no-such-file.md");
    const std::string unlisted = co_await failure_of(std::move(unlisted_outcome));
    expect_equal(unlisted, message_of(mcp::skill_errc::no_such_file));
    mcp::skill other = refunds;
    for (mcp::skill_resource& file : other.resources)
        file.digest = "sha256:" + std::string(64, '0');
    auto digest_outcome = skills.read(other);
    const std::string digest = co_await failure_of(std::move(digest_outcome));
    expect_equal(digest, message_of(mcp::skill_errc::wrong_digest));
    mcp::skill renamed = refunds;
    renamed.frontmatter["license"] = "MIT";
    auto frontmatter_outcome = skills.read(renamed);
    const std::string frontmatter = co_await failure_of(std::move(frontmatter_outcome));
    expect_equal(frontmatter, message_of(mcp::skill_errc::wrong_frontmatter));
}

task<> read_folders(const mcp::client_skills& skills)
{
    expect(skills.can_read_directories(), "the server can't list folders");
    const std::vector<mcp::resource_info> there = co_await skills.read_directory("skill://acme/refunds");
    std::vector<std::string> names;
    for (const mcp::resource_info& one : there)
        names.push_back(one.mime_type == "inode/directory" ? one.uri + '/' : one.uri);
    expect_equal(joined(sorted(std::move(names))), "skill://acme/refunds/SKILL.md skill://acme/refunds/logo.png "
                                                   "skill://acme/refunds/templates/");
    auto wrong_outcome = skills.read_directory("skill://acme/nobody");
    const std::string wrong = co_await failure_of(std::move(wrong_outcome));
    expect(wrong.starts_with("-32602 "), "a folder that is not there: " + wrong);
}

task<> use_skills(const mcp::client_skills& skills)
{
    expect(skills.served(), "the server has no skills");
    const std::vector<mcp::skill> all = co_await skills.list(); // the server in Node has one on each page
    std::vector<std::string> uris;
    for (const mcp::skill& one : all)
        uris.push_back(one.uri);
    expect_equal(joined(sorted(std::move(uris))), "skill://acme/greet/SKILL.md skill://acme/refunds/SKILL.md");

    const mcp::skill refunds = co_await skills.get("skill://acme/refunds/SKILL.md");
    expect_equal(refunds.description, "Pays customers back: by the rules");
    expect_equal(json::serialize(refunds.frontmatter.at("metadata")), R"({"version":"1.2"})");
    expect_equal(std::to_string(refunds.resources.size()), "3");
    auto nobody_outcome = skills.get("skill://acme/nobody/SKILL.md");
    const std::string nobody = co_await failure_of(std::move(nobody_outcome));
    expect(nobody.starts_with("-32602 "), "a skill that is not there: " + nobody);
    co_await read_files(skills, refunds);
    co_await read_wrong(skills, refunds);
    co_await read_folders(skills);
}

// Tasks

// What the client has been told of them: "working", and so on.
struct told_states {
    std::vector<std::string> states;
    std::string last_id;
    asio::cancellation_signal cancel; // of the call that is to be cancelled
    bool is_to_cancel = false;
    partyline::error_code end; // of that call

    void on_status(const mcp::client_task_status& now)
    {
        static constexpr const char* names[] = {"working", "input_required", "completed", "failed", "cancelled"};
        states.push_back(names[static_cast<std::size_t>(now.state)]);
        last_id = now.id;
        if (std::exchange(is_to_cancel, false))
            cancel.emit(asio::cancellation_type::all);
    }
    std::string take() { return joined(std::exchange(states, {})); }
};

task<> complete(mcp::client& client, told_states& told)
{
    const mcp::tool_answer computed = co_await client.call_tool("slow_compute");
    expect_equal(computed.text(), "it is computed");
    expect_equal(told.take(), "working completed");
    const mcp::tool_answer failed = co_await client.call_tool("failing_job");
    expect(failed.is_error, "a job that fails is no error");
    expect_equal(failed.text(), "The job has failed");
    expect_equal(told.take(), "working completed");
    auto refused_outcome = client.call_tool("protocol_error_job");
    const std::string refused = co_await failure_of(std::move(refused_outcome));
    expect_equal(refused, "-32603 The job could not be run");
    expect_equal(told.take(), "working failed");
}

task<> answer(mcp::client& client, told_states& told)
{
    const mcp::tool_answer deleted = co_await client.call_tool("confirm_delete");
    expect_equal(deleted.text(), R"(accept: {"confirm":true})");
    const std::string states = told.take(); // the SDK for Rust creates each task as one that works
    expect(states == "input_required completed" || states == "working input_required completed",
           "a task that asks was " + states);
}

// The second tool answers when the server has heard of the cancel, and so after the call has completed.
task<> cancel(mcp::client& client, told_states& told)
{
    told.is_to_cancel = true;
    client.call_tool("endless")(asio::bind_cancellation_slot(
        told.cancel.slot(),
        [&](partyline::error_code code, partyline::call_result<mcp::tool_answer>) { told.end = code; }));
    mcp::call_hooks patient;
    patient.timeout = 20s;
    const mcp::tool_answer heard = co_await client.call_tool("wait_for_cancel", nullptr, patient);
    expect_equal(heard.text(), "a task has been cancelled");
    expect_equal(message_of(told.end), message_of(asio::error::operation_aborted));
    expect_equal(told.take(), "working");
}

// Of one that has been cancelled the server says so, and of one that is not there.
task<> resume(const mcp::client_tasks& tasks, told_states& told)
{
    auto cancelled_outcome = tasks.resume(told.last_id);
    const std::string cancelled = co_await failure_of(std::move(cancelled_outcome));
    expect_equal(cancelled, message_of(mcp::client_task_errc::cancelled));
    auto nobody_outcome = tasks.resume("nobody");
    const std::string nobody = co_await failure_of(std::move(nobody_outcome));
    expect(nobody.starts_with("-32602 ") && nobody.ends_with("nobody"), "a task that is not there: " + nobody);
}

task<> use(mcp::client& client, mcp::client_skills skills, mcp::client_tasks tasks, told_states& told)
{
    co_await client.start();
    co_await use_skills(skills);
    if (client.era() == mcp::era::modern) {
        co_await complete(client, told);
        co_await answer(client, told);
        co_await cancel(client, told);
        co_await resume(tasks, told);
    }
    co_await client.close();
}

mcp::client connect(const asio::any_io_executor& executor, std::vector<std::string> words, const std::string& mode)
{
    mcp::client_options how;
    how.era = mode == "legacy" ? mcp::wanted_era::legacy : mcp::wanted_era::modern;
    if (words.front().starts_with("http"))
        return mcp::client(partyline::http::mcp_client(executor, words.front()), std::move(how));
    return mcp::client(partyline::child_process(executor, std::move(words)), std::move(how));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    asio::io_context context(1);
    mcp::client client = connect(context.get_executor(), {argv + 2, argv + argc}, argv[1]);
    client.on_elicit([](const mcp::elicit_request& asked) {
        expect_equal(asked.message, "Delete it?");
        return mcp::elicit_answer::accept(json::object{{"confirm", true}});
    });
    told_states told;
    mcp::client_tasks_options how;
    how.on_status = [&](const mcp::client_task_status& now) { told.on_status(now); };
    const mcp::client_tasks tasks(client, std::move(how));
    mcp::client_skills_options with_yaml;
    with_yaml.read_frontmatter = read_yaml;
    const mcp::client_skills skills(client, with_yaml);
    int code = 1;
    co_spawn(context.get_executor(), use(client, skills, tasks, told), [&](std::exception_ptr thrown) {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
            std::cout << "all as expected\n";
            code = 0;
        } catch (const std::exception& e) {
            std::cerr << e.what() << '\n';
            context.stop();
        }
    });
    context.run();
    return code;
}
