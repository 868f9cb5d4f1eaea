#include "transport/socket/inherited_sockets.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using partyline::inherited_sockets;

BOOST_AUTO_TEST_SUITE(inherited_socket_numbers)

BOOST_AUTO_TEST_CASE(what_is_meant_for_this_process_is_taken_and_rubbish_is_none)
{
    const struct {
        const char* pid; // null: not set
        const char* count;
        std::vector<int> found;
    } rows[] = {
        {"4711", "1", {3}},
        {"4711", "3", {3, 4, 5}},
        {"4711", "0", {}},
        {"4711", nullptr, {}},
        {nullptr, "1", {}},
        {nullptr, nullptr, {}},
        {"4712", "1", {}}, // meant for the parent
        {"", "1", {}},
        {"4711", "", {}},
        {"4711 ", "1", {}},
        {" 4711", "1", {}},
        {"+4711", "1", {}},
        {"4711x", "1", {}},
        {"0x1267", "1", {}},
        {"-4711", "1", {}},
        {"4711", "-1", {}},
        {"4711", "1x", {}},
        {"4711", "1.0", {}},
        {"4711", "one", {}},
        {"4711", "1025", {}}, // more than a process may have
        {"4711", "2147483648", {}},
        {"4711", "18446744073709551617", {}},
        {"4294972007", "1", {}}, // 4711 in 32 bits
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT((row.pid ? row.pid : "none") << ", " << (row.count ? row.count : "none"))
        {
            BOOST_TEST(inherited_sockets(4711, row.pid, row.count) == row.found, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
