// partyline-bench: measures servers and prints what it came to, as JSON. What is measured is in workloads.cpp.

#include "options.hpp"
#include "rounds.hpp"
#include "wire.hpp"
#include "workloads.hpp"

#include <partyline/config.hpp>

#include <csignal>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using bench::options;

constexpr int failed = 1;
constexpr int usage = 2;

void list(bool is_quick)
{
    for (const bench::workload& each : bench::all_workloads(is_quick))
        std::cout << each.name << ": " << each.title << '\n';
}

void write(std::ostream& out, const std::string& text, const std::string& place)
{
    out << text << std::flush;
    if (!out)
        throw std::runtime_error("cannot write " + place);
}

void save(const std::string& file, const std::string& text, std::ios::openmode how)
{
    std::ofstream out(file, how);
    write(out, text, file);
}

void measure(const options& wanted, const bench::selection& chosen)
{
    if (!wanted.json_file.empty())
        save(wanted.json_file, "", std::ios::app); // told before minutes are spent
    std::clog << "seed " << wanted.seed << std::endl;
    const std::string text = bench::to_json(bench::run_rounds(chosen, wanted, std::clog));
    if (wanted.json_file.empty())
        write(std::cout, text, "standard output");
    else
        save(wanted.json_file, text, std::ios::trunc);
}

void run(const options& wanted)
{
    using action = options::action;
    switch (wanted.what) {
    case action::help: return bench::print_help(std::cout);
    case action::version: std::cout << "partyline-bench " PARTYLINE_VERSION_STRING "\n"; return;
    case action::list: return list(wanted.is_quick);
    case action::measure: break;
    }
    const auto peers = bench::read_peers(wanted.peers_file);
    measure(wanted, bench::select(bench::all_workloads(wanted.is_quick), wanted, peers));
}

int complain(const std::exception& e, int code)
{
    std::cerr << "partyline-bench: " << e.what() << '\n';
    if (code == usage)
        std::cerr << "Try 'partyline-bench --help'.\n";
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN); // a server that has died is reported in words
    try {
        run(bench::parse_command_line(argc, argv));
        return 0;
    } catch (const std::runtime_error& e) {
        return complain(e, failed);
    } catch (const std::exception& e) {
        return complain(e, usage);
    }
}
