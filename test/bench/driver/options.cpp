#include "options.hpp"

#include "command_line/arguments.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <filesystem>
#include <ostream>
#include <random>
#include <stdexcept>

namespace po = boost::program_options;

namespace bench {
namespace {

using words = std::vector<std::string>;

po::options_description describe()
{
    po::options_description all("Options");
    auto add = all.add_options();
    add("help", "print this and exit");
    add("version", "print the version and exit");
    add("list", "name the workloads and exit");
    add("workload", po::value<words>()->multitoken(),
        "measure only these; mcp: all that begin with mcp-, and so http, "
        "websocket and https");
    add("quick", "fewer requests and rounds: for a look, not for figures");
    add("rounds", po::value<std::int64_t>(), "how often everything is measured; 5, with --quick 3");
    add("seed", po::value<std::int64_t>(), "what payloads and ids are made from; by default another each time");
    add("json", po::value<std::string>()->default_value(""), "save the results in this file in place of printing them");
    add("server", po::value<std::string>()->default_value(""),
        "measure what this command runs in place of partyline's servers; at the end of input it is to end with "
        "exit code 0");
    add("method", po::value<std::string>()->default_value("echo"), "its method that returns its params");
    add("framing", po::value<std::string>()->default_value("ndjson"),
        "how it tells messages apart: ndjson or content-length");
    add("transport", po::value<std::string>()->default_value("pipes"),
        "what servers are connected by: pipes or socketpair");
    add("timeout", po::value<std::int64_t>()->default_value(10),
        "give up a server that is silent for so long, in seconds");
    add("no-pin", "let the system choose the cores; by default the client has one and the server another");
    add("programs", po::value<std::string>(),
        "folder of partyline's servers and yardstick; by default that of this program");
    add("peers", po::value<std::string>(),
        "file that names the peers; by default ../../peers/peers.json beside that folder");
    return all;
}

// One of two words.
template <class Choice>
Choice choose(const po::variables_map& given, const char* name, const char* first, Choice one, const char* second,
              Choice other)
{
    const auto& value = given[name].as<std::string>();
    if (value == first)
        return one;
    if (value == second)
        return other;
    throw std::invalid_argument("the argument for option '--" + std::string(name) + "' is '" + value + "', expected " +
                                first + " or " + second);
}

std::string word(const po::variables_map& given, const char* name)
{
    return given.count(name) ? given[name].as<std::string>() : "";
}

options::action action_of(const po::variables_map& given)
{
    using action = options::action;
    constexpr std::pair<const char*, action> all[] = {
        {"help", action::help}, {"version", action::version}, {"list", action::list}};
    for (const auto& [name, what] : all) {
        if (given.count(name))
            return what;
    }
    return action::measure;
}

void set_places(options& result, const po::variables_map& given)
{
    namespace fs = std::filesystem;
    const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
    const fs::path programs = given.count("programs") ? fs::path(word(given, "programs")) : own;
    result.programs = programs.string();
    result.peers_file =
        given.count("peers") ? word(given, "peers") : (programs / "../../peers/peers.json").lexically_normal().string();
}

std::size_t rounds_of(const po::variables_map& given)
{
    if (!given.count("rounds"))
        return given.count("quick") ? 3 : 5;
    return static_cast<std::size_t>(command_line::in_range(given, "rounds", 1, 1000));
}

std::uint64_t seed_of(const po::variables_map& given)
{
    if (!given.count("seed"))
        return std::random_device()();
    return static_cast<std::uint64_t>(command_line::in_range(given, "seed", 0, std::int64_t(1) << 53));
}

} // namespace

options parse_command_line(int argc, const char* const* argv)
{
    const po::variables_map given = command_line::parse(argc, argv, describe());
    options result;
    result.what = action_of(given);
    result.is_quick = given.count("quick") != 0;
    result.rounds = rounds_of(given);
    result.seed = seed_of(given);
    if (given.count("workload"))
        result.workloads = given["workload"].as<words>();
    result.json_file = word(given, "json");
    result.server = word(given, "server");
    result.method = word(given, "method");
    result.how = choose(given, "framing", "ndjson", framing::ndjson, "content-length", framing::content_length);
    result.over = choose(given, "transport", "pipes", transport::pipes, "socketpair", transport::socket_pair);
    result.timeout = std::chrono::seconds(command_line::in_range(given, "timeout", 1, 3600));
    result.is_pinned = given.count("no-pin") == 0;
    set_places(result, given);
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-bench: what a JSON-RPC server on standard input and output costs, beside cat and a simple "
           "loop\n\n"
        << "Usage: partyline-bench [options]\n\n"
        << describe() << '\n'
        << "The results are JSON; test/bench/page/page.py makes a table and a chart of them.\n"
        << "Exit codes: 0 measured; 1 a server died, hung or answered wrongly, or something can't be read or written;\n"
        << "2 wrong usage.\n";
}

} // namespace bench
