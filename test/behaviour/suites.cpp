// Every case over every transport: a suite for each transport.

#include "cases.hpp"
#include "transport_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>

namespace ut = boost::unit_test;
using namespace partyline::test;

namespace {

constexpr unsigned max_seconds = 60;

ut::test_suite* make_suite(const transport& way)
{
    auto* const suite = new ut::test_suite(way.name, __FILE__, __LINE__); // the framework's
    for (auto cases : {call_cases, call_back_cases, cancel_cases, end_cases}) {
        for (const behaviour_case& one : cases()) {
            const auto run = [&way, act = one.run] {
                transport_fixture own(way);
                act(own);
            };
            suite->add(ut::make_test_case(run, one.name, __FILE__, __LINE__), 0, max_seconds);
        }
    }
    return suite;
}

const bool is_registered = [] {
    for (const transport& way : all_transports())
        ut::framework::current_auto_test_suite().add(make_suite(way));
    return true;
}();

} // namespace
