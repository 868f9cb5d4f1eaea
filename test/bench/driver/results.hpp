#pragma once

#include "measure.hpp"

#include <boost/describe/class.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

// What was measured, and what is printed: the page's only source. The members' names are those in the JSON.

/// The middle of what was measured in several rounds, and how far apart they lie.
struct spread {
    double median = 0;
    double min = 0;
    double max = 0;
};
BOOST_DESCRIBE_STRUCT(spread, (), (median, min, max))

/// Of at least one value.
spread spread_of(std::vector<double> values);

/// What a figure is to be at most; "ratio" is a figure too.
struct target {
    std::string figure;
    double at_most = 0;
    bool reached = false; // by the median
};
BOOST_DESCRIBE_STRUCT(target, (), (figure, at_most, reached))

/// One server under one workload.
struct row {
    std::string name;
    std::string kind; // "floor", "yardstick", "partyline", "peer" or "server": one named by the user
    std::string command;
    std::string method;
    std::size_t requests = 0; // of a round
    std::vector<figures> rounds = {};
    figures median = {};
    std::vector<double> ratios = {}; // of each round, to the row that the workload refers to
    std::optional<spread> ratio = {};
    std::vector<target> targets = {};
};
BOOST_DESCRIBE_STRUCT(row, (), (name, kind, command, method, requests, rounds, median, ratios, ratio, targets))

/// One workload.
struct section {
    std::string name;
    std::string title;
    std::string unit;               // what is counted: "request", "cancel", ...
    std::vector<std::string> shown; // the figures worth a look, the main one first
    std::string compared;           // the figure of which there are ratios
    std::string reference;          // the row that has ratio 1; empty: there are no ratios
    std::vector<row> rows;
};
BOOST_DESCRIBE_STRUCT(section, (), (name, title, unit, shown, compared, reference, rows))

struct machine {
    std::string cpu;
    std::uint64_t cores = 0;
    std::string kernel;
    std::string compiler;
    std::string boost;
    std::string libc;
    bool pinned = false;
    bool profiled = false; // built by a profile and with optimisation at link time
};
BOOST_DESCRIBE_STRUCT(machine, (), (cpu, cores, kernel, compiler, boost, libc, pinned, profiled))

struct results {
    std::string partyline;
    std::string date;
    std::uint64_t seed = 0;
    std::uint64_t rounds = 0;
    bool quick = false;
    std::string transport;
    struct machine machine;
    std::vector<std::string> remarks; // what was left out, and why
    std::vector<section> workloads;
};
BOOST_DESCRIBE_STRUCT(results, (), (partyline, date, seed, rounds, quick, transport, machine, remarks, workloads))

/// Fills in `median`, `ratio` and whether targets are reached.
void summarise(results& all);

/// The machine that this runs on, and what this program, and with it the library, was built with.
machine describe_machine(bool is_pinned);

/// On one line, with its newline.
std::string to_json(const results& all);

} // namespace bench
