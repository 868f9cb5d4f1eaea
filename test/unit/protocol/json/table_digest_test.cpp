#include "protocol/json/table_digest.hpp"
#include "support/murmur_names.hpp"
#include "support/name_families.hpp"

#include <boost/json/string.hpp>
#include <boost/test/unit_test.hpp>

#include <random>
#include <set>
#include <string>
#include <vector>

using namespace partyline;
using namespace partyline::test;

namespace {

constexpr std::uint64_t addresses[] = {0x7f1234567560, 0x7fe987650010, 0x55d0c0ffee00};

/// Names of 0 to 40 bytes, of every kind.
std::vector<std::string> any_names()
{
    std::mt19937_64 random(3);
    std::vector<std::string> names;
    for (std::size_t size = 0; size != 41; ++size) {
        names.push_back(random_name(random, size));
        for (char& c : names.emplace_back(size, ' '))
            c = static_cast<char>(random());
    }
    return names;
}

} // namespace

BOOST_AUTO_TEST_SUITE(table_digest_of_names)

// Boost.JSON's own, for want of a way to ask a table. Should that go: what collides is all that matters.
BOOST_AUTO_TEST_CASE(the_digest_is_that_of_the_library)
{
    for (const std::string& name : any_names())
        for (const std::uint64_t address : addresses)
            BOOST_TEST(table_digest::of(name, address) ==
                           boost::json::detail::digest(name.begin(), name.end(), address),
                       name.size());
}

BOOST_AUTO_TEST_CASE(a_digest_is_the_same_by_itself_and_with_others)
{
    for (const std::string& name : any_names()) {
        const fnv_digest::digests each = fnv_digest::under_each(name);
        for (std::size_t salt = 0; salt != each.size(); ++salt)
            BOOST_TEST(each[salt] == fnv_digest::under(name, salt));
        BOOST_TEST(murmur_digest::under_each(name)[0] == murmur_digest::under(name, 0));
    }
}

BOOST_AUTO_TEST_CASE(names_can_be_made_that_murmur_takes_for_one_under_every_salt)
{
    const std::vector<std::string> names = murmur_names().make(32);
    BOOST_TEST(std::set(names.begin(), names.end()).size() == 32u);
    for (const std::uint64_t address : addresses)
        for (const std::string& name : names)
            BOOST_TEST(murmur_digest::of(name, address) == murmur_digest::of(names[0], address));
    BOOST_TEST(murmur_digest::of(names[0], addresses[0]) != murmur_digest::of(names[0], addresses[1]));
}

BOOST_AUTO_TEST_SUITE_END()
