// How the tools are offered: names, texts, where each runs, and what becomes of their errors and their progress.

#include "server.hpp"

#include "command_line/file_uri.hpp"
#include "hash_files.hpp"
#include "read_lines.hpp"
#include "run_tool.hpp"
#include "search_files.hpp"
#include "tool_error.hpp"
#include "tool_types.hpp"
#include "tools/files/root_files.hpp"
#include "wait_tool.hpp"

#include <partyline/config.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace mcp = partyline::mcp;
using partyline::task;

namespace tools {
namespace {

/// Progress as the client is told of it: of much, some.
class client_progress final : public tool_progress {
public:
    explicit client_progress(mcp::context& client) : client_(client) {}

    void report(double done, std::optional<double> total, std::string message) override
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < interval && done != total)
            return;
        last_ = now;
        static_cast<void>(client_.progress(done, total, message));
    }
    bool cancelled() override { return client_.cancelled(); }

private:
    static constexpr auto interval = std::chrono::milliseconds(50);

    mcp::context& client_;
    std::chrono::steady_clock::time_point last_{};
};

// What a tool says for whoever called it is for the model.

template <class Work>
auto told(Work work)
{
    try {
        return work();
    } catch (const tool_error& problem) {
        throw mcp::tool_error(problem.what());
    }
}

template <class T>
task<T> told(task<T> work)
{
    try {
        co_return co_await std::move(work);
    } catch (const tool_error& problem) {
        throw mcp::tool_error(problem.what());
    }
}

task<hash_result> hash(mcp::context& client, const workplace& in, hash_arguments what)
{
    client_progress progress(client);
    co_return co_await told(hash_files(in.roots, in.limits, std::move(what), in.pool, progress));
}

task<run_result> run(mcp::context& client, const workplace& in, run_arguments what)
{
    client_progress progress(client);
    co_return co_await told(run_tool(in.roots, in.commands, in.limits, std::move(what), progress));
}

task<wait_result> wait(mcp::context& client, wait_arguments what)
{
    client_progress progress(client);
    co_return co_await told(wait_tool(what, progress));
}

mcp::tool_options on_pool(const workplace& in)
{
    mcp::tool_options how;
    how.read_only = true;
    how.run.executor = in.pool;
    return how;
}

void add_file_tools(mcp::server& to, const workplace& in)
{
    to.add_tool(
        "search_files", "Finds lines that contain a text, in the files of the roots.",
        [in](mcp::context& client, search_arguments what) {
            client_progress progress(client);
            return told([&] { return search_files(in.roots, in.limits, what, progress); });
        },
        on_pool(in));
    to.add_tool(
        "read_lines", "Reads lines of a text file.",
        [in](mcp::context& client, read_arguments what) {
            return told([&] { return read_lines(in.roots, in.limits, what, [&] { return client.cancelled(); }); });
        },
        on_pool(in));
    to.add_tool("hash_files", "Tells the SHA-256 of files.",
                [in](mcp::context& client, hash_arguments what) { return hash(client, in, std::move(what)); },
                {.read_only = true});
}

void add_other_tools(mcp::server& to, const workplace& in)
{
    if (!in.commands.empty())
        to.add_tool(
            "run_command",
            "Runs a program in a folder of the roots, without a shell, and tells what it wrote. It can be one of: " +
                in.commands.names() + '.',
            [in](mcp::context& client, run_arguments what) { return run(client, in, std::move(what)); },
            {.read_only = false, .destructive = true});
    to.add_tool("wait", "Waits.", &wait, {.read_only = true, .idempotent = true});
}

struct file_path {
    std::string path;
};
BOOST_DESCRIBE_STRUCT(file_path, (), (path))

// Who asks by a URI is told that there is nothing, whatever is wrong.
mcp::resource_contents read_resource(const workplace& in, const mcp::context& client, const std::string& path)
{
    try {
        whole_file file =
            read_file(in.roots, command_line::file_uri(path), in.limits.file_bytes, [&] { return client.cancelled(); });
        if (file.is_text)
            return mcp::text_resource{std::move(file.bytes)};
        return mcp::blob_resource{std::move(file.bytes)};
    } catch (const tool_error&) {
        throw mcp::resource_not_found();
    }
}

std::string list_names(const workplace& in, const mcp::context& client)
{
    constexpr std::size_t most = 1000;
    const file_page page = list_files(in.roots, in.limits, 0, most, [&] { return client.cancelled(); });
    std::string names;
    for (const listed_file& one : page.files)
        names += one.name + '\n';
    return page.next ? names + "(and more)\n" : names;
}

void add_resources(mcp::server& to, const workplace& in)
{
    mcp::resource_options how;
    how.run.executor = in.pool;
    to.add_resource(
        "tools://files", "files", "The names of the files in the roots, a thousand at most",
        [in](mcp::context& client) { return list_names(in, client); }, how);
    to.add_resource_template(
        "file://{+path}", "file", "A file in one of the roots",
        [in](mcp::context& client, file_path which) { return read_resource(in, client, which.path); }, how);
}

struct review_arguments {
    std::string file;
    std::optional<std::string> focus = {};

    static constexpr auto notes()
    {
        using me = review_arguments;
        return partyline::notes(note(&me::file, "The file to review"), note(&me::focus, "What to look at above all"));
    }
};
BOOST_DESCRIBE_STRUCT(review_arguments, (), (file, focus))

std::string review(const review_arguments& what)
{
    std::string text = "Read the file " + what.file +
                       " by read_lines, all of it. Then review it: what is wrong, what may "
                       "go wrong, and what could be simpler. Name lines by their numbers.";
    if (what.focus)
        text += " Look at this above all: " + *what.focus + '.';
    return text;
}

} // namespace

mcp::server make_server(const workplace& in)
{
    mcp::server_options how;
    how.page_size = in.page_size;
    how.title = "Files and commands";
    how.instructions =
        "Files are named relative to the root where there is one, by the root's name and what follows where "
        "there are several. Long files are read in parts: go on from `next`.";
    mcp::server made("partyline-tools", PARTYLINE_VERSION_STRING, std::move(how));
    add_file_tools(made, in);
    add_other_tools(made, in);
    add_resources(made, in);
    made.add_prompt("review", "Reviews a file of the roots", &review);
    return made;
}

} // namespace tools
