#include "mcp_options.hpp"

#include "call/input/json_fault.hpp"
#include "command_line/arguments.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace po = boost::program_options;

namespace call {
namespace {

constexpr const char* mcp_names[] = {"prompt", "read", "request", "info", "json", "era", "root", "answer", "log-level"};

void refuse_other_profile(const po::variables_map& given)
{
    for (const char* const name : mcp_names) {
        if (given.count(name))
            throw std::invalid_argument("--" + std::string(name) + " goes with --profile mcp");
    }
}

mcp_options::named named_by(const po::variables_map& given)
{
    using named = mcp_options::named;
    constexpr std::pair<const char*, named> all[] = {
        {"prompt", named::prompt}, {"read", named::resource}, {"request", named::method}};
    named found = named::tool;
    const char* by = nullptr;
    for (const auto& [name, what] : all) {
        if (!given.count(name))
            continue;
        if (by)
            throw std::invalid_argument("--" + std::string(by) + " and --" + name + " exclude each other");
        by = name;
        found = what;
    }
    return found;
}

std::string answer_of(const po::variables_map& given)
{
    const std::string answer = command_line::text_of(given, "answer");
    if (answer.empty() || answer == "decline" || answer == "cancel")
        return answer;
    boost::system::error_code failed;
    const boost::json::value read = boost::json::parse(answer, failed);
    if (failed)
        throw std::invalid_argument("the argument for option '--answer' is not JSON: " + json_fault(answer));
    if (!read.is_object())
        throw std::invalid_argument("the argument for option '--answer' is no JSON object, nor decline or cancel");
    return answer;
}

} // namespace

void describe_mcp(po::options_description& all)
{
    const auto text = [] { return po::value<std::string>(); };
    po::options_description ours("Options of --profile mcp");
    auto add = ours.add_options();
    add("prompt", "METHOD is a prompt, and PARAMS are its arguments, all of which are strings");
    add("read", "METHOD is the URI of a resource, whose text, or bytes, are printed");
    add("request",
        "METHOD is one of the protocol's own, such as completion/complete; the result is printed as it came");
    add("info", "print what the server says of itself");
    add("json", "print results and lists as they came: JSON");
    add("era", text(),
        "how to begin: auto (the default: ask by server/discover, and else initialize), legacy (initialize), modern "
        "(do not fall back)");
    add("root", po::value<std::vector<std::string>>()->composing(), "a folder that the server is told it may work in");
    add("answer", text(),
        "answer the server's forms with this JSON object, or decline or cancel all of its questions, in place of "
        "asking on the terminal");
    add("log-level", text(),
        "have the server log from this level on: debug, info, notice, warning, error, critical, alert, emergency");
    all.add(ours);
}

mcp_options mcp_options_of(const po::variables_map& given, bool is_mcp)
{
    if (!is_mcp) {
        refuse_other_profile(given);
        return {};
    }
    constexpr mcp_options::era eras[] = {mcp_options::era::automatic, mcp_options::era::legacy,
                                         mcp_options::era::modern};
    mcp_options read;
    read.what = named_by(given);
    read.prints_json = given.count("json") != 0;
    read.wanted_era = eras[command_line::choice_of(given, "era", {"auto", "legacy", "modern"})];
    if (given.count("root"))
        read.roots = given["root"].as<std::vector<std::string>>();
    read.answer = answer_of(given);
    command_line::choice_of(given, "log-level",
                            {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"});
    read.log_level = command_line::text_of(given, "log-level");
    return read;
}

mcp_options::listing listing_of(const std::vector<std::string>& words)
{
    using listing = mcp_options::listing;
    constexpr std::pair<std::string_view, listing> all[] = {{"tools", listing::tools},
                                                            {"resources", listing::resources},
                                                            {"templates", listing::templates},
                                                            {"prompts", listing::prompts}};
    if (words.empty())
        return listing::tools;
    const auto found = std::ranges::find(all, words.front(), [](const auto& each) { return each.first; });
    if (found == std::end(all) || words.size() > 1)
        throw std::invalid_argument("--list lists one of tools, resources, templates and prompts, not '" +
                                    partyline::printable(words.back()) + "'");
    return found->second;
}

} // namespace call
