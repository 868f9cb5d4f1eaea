
// What all command lines share.

#include <boost/program_options/value_semantic.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <command_line/arguments.hpp>
#include <command_line/percentile.hpp>

namespace po = boost::program_options;
using command_line::percentile;

namespace {

// Empty where it is taken.
std::string refusal_of(const std::vector<std::string>& words)
{
    po::options_description all;
    auto add = all.add_options();
    add("help,h", "");
    add("access-log", po::value<std::string>(), "");
    add("access-log-format", po::value<std::string>(), "");
    add("max-batch", po::value<std::int64_t>(), "");
    add("x", po::value<std::string>(), "");
    try {
        command_line::parse_with_words(words, all);
    } catch (const std::exception& refused) {
        return refused.what();
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(shared_parts)

BOOST_AUTO_TEST_CASE(percentiles_are_values_that_were_measured)
{
    std::vector<double> values;
    for (int i = 1; i <= 200; ++i)
        values.push_back(i);
    BOOST_TEST(percentile(values, 50) == 100);
    BOOST_TEST(percentile(values, 90) == 180);
    BOOST_TEST(percentile(values, 99) == 198);
    BOOST_TEST(percentile(values, 100) == 200);
    BOOST_TEST(percentile(std::vector{1, 2, 3}, 50) == 2);
    BOOST_TEST(percentile(std::vector{3}, 50) == 3);
    BOOST_TEST(percentile(std::vector{3, 4}, 0) == 3);
}

BOOST_AUTO_TEST_CASE(an_option_is_not_guessed_from_its_beginning)
{
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--access", "FILE"},
                                                  {"--access=FILE"},
                                                  {"--access-lo", "FILE"},
                                                  {"--acess-log=FILE"}})
        BOOST_TEST(refusal_of(words) == "unrecognised option '" + words[0].substr(0, words[0].find('=')) +
                                            "', did you mean '--access-log'?");
    BOOST_TEST(refusal_of({"--hlep"}) == "unrecognised option '--hlep', did you mean '--help'?");
    BOOST_TEST(refusal_of({"--max-bacth", "1"}) == "unrecognised option '--max-bacth', did you mean '--max-batch'?");
    for (const char* word : {"--quiet", "--q", "-q"})
        BOOST_TEST(refusal_of({word}) == "unrecognised option '" + std::string(word) + "'");
    BOOST_TEST(refusal_of({"--\x1b[2J"}) == "unrecognised option '--\\u001b[2J'");
    BOOST_TEST(refusal_of({"--" + std::string(100'000, 'a')}).size() < 200u);
}

BOOST_AUTO_TEST_CASE(what_is_spelt_out_is_taken)
{
    BOOST_TEST(
        refusal_of({"--access-log", "FILE", "--access-log-format=json", "-h", "--max-batch=3", "--x=y", "word"}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
