#include "options.hpp"

#include "call/input/input_file.hpp"
#include "call/input/params.hpp"
#include "command_line/arguments.hpp"
#include "command_line/limit_options.hpp"
#include "command_line/secret_file.hpp"
#include "command_line/wire_options.hpp"
#include "mcp_request.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace po = boost::program_options;

namespace call {
namespace {

using partyline::printable;
using action = options::action;
using words = std::vector<std::string>;

po::options_description describe()
{
    po::options_description all("Options");
    auto add = all.add_options();
    const auto text = [] { return po::value<std::string>(); };
    const auto number = [] { return po::value<std::int64_t>(); };
    add("help,h", "print this and exit");
    add("version", "print the version and exit");
    add("completion",
        "print what completes options in bash, and methods of a server that listens: eval \"$(partyline-call "
        "--completion)\"");
    add("list",
        "print the methods of a server that tells of them (rpc.discover, OpenRPC); with --profile mcp its tools, or, "
        "as the word behind it says, its resources, templates or prompts");
    describe_destinations(all);
    add("profile", text(),
        "what the server speaks: plain (the default: JSON-RPC 2.0), lsp (a language server: Content-Length, and "
        "initialize, initialized before the calls, shutdown, exit behind them), mcp (a server of the Model Context "
        "Protocol: METHOD is one of its tools)");
    command_line::describe_framing(all);
    add("calls", text(),
        "make the calls that stand in this file, or - for standard input, one a line: "
        "{\"method\":..., \"params\":..., \"id\":...}; id, by default the line's number, is what its reply is "
        "printed with");
    add("batch", "send the calls of --calls as one batch");
    add("notify", "send a notification; there is no reply to it");
    add("repeat", number(), "make the call so often and print what it took instead of its results");
    add("concurrency", number(), "most calls at once: by default 64 with --calls and 1 with --repeat");
    add("timeout", text(),
        "give up a call, a notification that nobody reads, or connecting, after this time: 200ms, 5s, 2m");
    add("idle-timeout", text(),
        "give up a call of which nothing is heard for so long, neither its reply nor progress, which is asked for");
    add("progress",
        "ask for progress, which puts the member workDoneToken into params that are an object. What comes is "
        "shown on standard error, asked for or not: as a bar on a terminal, as lines elsewhere. (With --profile mcp "
        "it is always asked for.)");
    add("show-notifications", "print the server's notifications to standard error");
    add("sign-key", text(),
        "sign the calls by the private key in this file, a JWK or PEM, which nobody else may read (chmod 600): params "
        "that are an array over http alone");
    add("color", text(),
        "results in colour, and indented: auto (the default: on a terminal, without colour where NO_COLOR is set or "
        "TERM "
        "is dumb), always (elsewhere, too), never");
    add("trace", text(), "write every message to this file, - is standard error");
    describe_mcp(all);
    all.add(command_line::describe_limits());
    return all;
}

std::optional<partyline::access::signing_key> signing_key_of(const po::variables_map& given)
{
    if (!given.count("sign-key"))
        return std::nullopt;
    const auto& file = given["sign-key"].as<std::string>();
    const std::string text = command_line::read_signing_key(file);
    try {
        return partyline::access::signing_key(text);
    } catch (const std::runtime_error& e) {
        throw std::runtime_error("--sign-key " + file + ": " + e.what());
    }
}

duration time_of(const po::variables_map& given, const char* name)
try {
    return given.count(name) ? parse_duration(given[name].as<std::string>()) : duration::zero();
} catch (const std::invalid_argument& e) {
    throw std::invalid_argument("the argument for option '--" + std::string(name) + "': " + e.what());
}

action action_of(const po::variables_map& given)
{
    constexpr std::pair<const char*, action> all[] = {
        {"help", action::help},     {"version", action::version}, {"completion", action::completion},
        {"info", action::info},     {"list", action::list},       {"notify", action::notify},
        {"repeat", action::repeat}, {"batch", action::batch},     {"calls", action::call_file},
    };
    for (const auto& [name, what] : all) {
        if (given.count(name))
            return what;
    }
    return action::call;
}

// What would have no effect is refused.
void refuse_contradictions(const po::variables_map& given)
{
    constexpr std::pair<const char*, const char*> apart[] = {
        {"notify", "calls"},    {"notify", "repeat"},       {"notify", "batch"},       {"notify", "progress"},
        {"repeat", "progress"}, {"notify", "idle-timeout"}, {"notify", "concurrency"}, {"repeat", "calls"},
        {"repeat", "batch"},    {"batch", "concurrency"},   {"list", "notify"},        {"list", "calls"},
        {"list", "repeat"},     {"list", "progress"},       {"info", "list"},          {"info", "notify"},
        {"info", "calls"},      {"info", "repeat"},         {"info", "progress"},      {"json", "repeat"},
        {"json", "calls"},      {"json", "request"},        {"list", "read"},          {"list", "prompt"},
        {"list", "request"},    {"info", "read"},           {"info", "prompt"},        {"info", "request"},
    };
    for (const auto& [one, other] : apart) {
        if (given.count(one) && given.count(other))
            throw std::invalid_argument("--" + std::string(one) + " and --" + other + " exclude each other");
    }
    if (given.count("batch") && !given.count("calls"))
        throw std::invalid_argument("--batch takes the calls that --calls names");
    if (given.count("concurrency") && !given.count("calls") && !given.count("repeat"))
        throw std::invalid_argument("--concurrency goes with --calls or --repeat");
}

// Of what the profiles have not.
void refuse_by_profile(const options& wanted)
{
    if (wanted.profile == server_profile::lsp && wanted.what == action::batch)
        throw std::invalid_argument("--batch and --profile lsp exclude each other: LSP has no batches");
    if (wanted.profile != server_profile::mcp)
        return;
    if (wanted.what == action::batch)
        throw std::invalid_argument("--batch and --profile mcp exclude each other: MCP has no batches any more");
    if (wanted.what == action::notify)
        throw std::invalid_argument("--notify and --profile mcp exclude each other: a tool is called, and answers");
    if (wanted.framing == partyline::framing_kind::content_length)
        throw std::invalid_argument(
            "--framing content-length and --profile mcp exclude each other: a message of MCP is "
            "a line");
}

request only_request(const words& given, std::size_t max_bytes)
{
    if (given.empty())
        throw std::invalid_argument("name a method, or a file of calls by --calls");
    const std::string& method = given.front();
    if (method.empty() || method.starts_with('{') || method.starts_with('['))
        throw std::invalid_argument("expected a method, and then its params: '" + printable(method) + "'");
    if (partyline::to_valid_utf8(method) != method)
        throw std::invalid_argument("the method '" + printable(method) + "' is not UTF-8");
    input_files files(max_bytes);
    const auto read = [&](const std::string& file) { return files.read(file); };
    return {method, params_of(words(given.begin() + 1, given.end()), read), {}};
}

std::size_t count_of(const po::variables_map& given, const char* name, std::size_t otherwise, std::int64_t most)
{
    return given.count(name) ? static_cast<std::size_t>(command_line::in_range(given, name, 1, most)) : otherwise;
}

void take_options(options& result, const po::variables_map& given)
{
    constexpr color_choice colors[] = {color_choice::automatic, color_choice::always, color_choice::never};
    result.calls_file = command_line::text_of(given, "calls");
    result.repeat = count_of(given, "repeat", 1, 10'000'000);
    result.concurrency = count_of(given, "concurrency", result.what == action::call_file ? 64 : 1, 65'536);
    result.timeout = time_of(given, "timeout");
    result.idle_timeout = time_of(given, "idle-timeout");
    result.asks_progress = given.count("progress") != 0;
    result.shows_notifications = given.count("show-notifications") != 0;
    result.color = colors[command_line::choice_of(given, "color", {"auto", "always", "never"})];
    result.trace_file = command_line::text_of(given, "trace");
    result.signs_by = signing_key_of(given);
    constexpr server_profile profiles[] = {server_profile::plain, server_profile::lsp, server_profile::mcp};
    result.profile = profiles[command_line::choice_of(given, "profile", {"plain", "lsp", "mcp"})];
    result.mcp = mcp_options_of(given, result.profile == server_profile::mcp);
    result.framing = command_line::framing_of(given);
    if (result.profile == server_profile::lsp && !result.framing)
        result.framing = partyline::framing_kind::content_length;
    result.bounds = command_line::limits_of(given);
}

// A line of calls, or what is listed, needs no method.
void take_words(options& result, const words& given)
{
    if (result.what == action::list && result.profile == server_profile::mcp) {
        result.mcp.listed = listing_of(given);
        return;
    }
    const bool reads_calls = !result.calls_file.empty();
    if (result.what != action::list && result.what != action::info && !reads_calls) {
        result.only = only_request(given, result.bounds.message_bytes);
        if (result.profile == server_profile::mcp)
            static_cast<void>(protocol_request(result.mcp.what, result.only)); // throws for what makes none
    } else if (!given.empty())
        throw std::invalid_argument("unexpected argument '" + printable(given.front()) + "' beside " +
                                    (reads_calls                   ? "--calls"
                                     : result.what == action::list ? "--list"
                                                                   : "--info"));
}

} // namespace

options read_command_line(const words& all)
{
    const auto dashes = std::ranges::find(all, "--");
    command_line::arguments ours = command_line::parse_with_words(words(all.begin(), dashes), describe());
    options result;
    result.what = action_of(ours.options);
    if (result.what == action::help || result.what == action::version || result.what == action::completion)
        return result;

    result.server =
        destination_of(ours.options, ours.words, dashes == all.end() ? words() : words(dashes + 1, all.end()));
    refuse_contradictions(ours.options);
    take_options(result, ours.options);
    refuse_by_profile(result);
    take_words(result, ours.words);
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-call: calls a JSON-RPC 2.0 server and prints the result\n\n"
        << "Usage: partyline-call METHOD [PARAMS] [options] -- SERVER ARGS...\n"
        << "       partyline-call METHOD [PARAMS] [options] --unix PATH | --tcp HOST:PORT | --tls HOST:PORT\n"
        << "       partyline-call URL METHOD [PARAMS] [options]        by http, https, ws or wss\n"
        << "       partyline-call --calls FILE [options] ...\n"
        << "       partyline-call --list ...\n"
        << "       partyline-call TOOL [ARGUMENTS] --profile mcp ...\n"
        << "       partyline-call --list [tools|resources|templates|prompts] --profile mcp ...\n"
        << "       partyline-call --read URI | --prompt NAME [ARGUMENTS] | --info --profile mcp ...\n\n"
        << "PARAMS are one of\n"
        << "  name=value ...   an object: add a=2 b=40\n"
        << "  value ...        an array: add 2 40\n"
        << "  [...] or {...}   the params as they are, if it is the only word: add '[2,40]'\n"
        << "  @FILE or -       the same, from a file or from standard input\n"
        << "A value is JSON, or else a string. @FILE as a value is what the file holds, JSON or else a string; @- is "
           "standard\n"
        << "input. A string that looks like something else is written as JSON: '\"@x\"', '\"a=b\"', '\"-x\"', "
           "'\"2\"'.\n\n"
        << "The result goes to standard output, as one line of JSON, or indented and coloured on a terminal; with "
           "--calls it\n"
        << "is the whole reply, with the id of its line. With --profile mcp it is the text that a tool, a resource or "
           "a\n"
        << "prompt has, or JSON where a tool's result is structured, or by --json.\n"
        << "An error reply goes to standard error, with --calls to standard output like the others. Progress and\n"
        << "whatever else there is to say goes to standard error. Ctrl-C cancels what is in flight.\n"
        << "What an MCP server asks the user is asked on the terminal; the time for that is part of --timeout.\n\n"
        << describe() << '\n'
        << "Exit codes, the highest that applies: 0 all was answered with results; 1 an error was, or a tool has "
           "failed; 2\n"
        << "wrong usage, or a line of --calls is no call; 3 no reply: the server can't be reached or has died, the "
           "handshake\n"
        << "of --profile lsp or mcp failed, or the time was over; 128 + N ended by signal N.\n";
}

} // namespace call
