#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/profile.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace json = boost::json;
using namespace partyline;

namespace {

struct job_protocol final : profile {
    job_protocol()
    {
        cancel_id = "job";
        cancel_reason = "why \"so\"";
        progress_id = "job";
        progress_value = "at";
    }
};

struct beside_protocol final : profile {
    beside_protocol() { progress_value = {}; }
};

std::string cancel_of(const profile& of, std::string_view reason)
{
    byte_buffer text;
    of.write_cancel(text, "7", reason);
    return std::string(text.view());
}

std::string progress_of(const profile& of, const std::string& value, std::size_t max_depth = 8)
{
    byte_buffer text;
    text.append("<");
    const std::optional<unwritable> problem = of.write_progress(text, R"("t")", json::parse(value), max_depth);
    text.append(problem ? problem->where : ">");
    return std::string(text.view());
}

std::string told_by(const profile& of, std::string_view params)
{
    message_reader reader{limits()};
    const std::optional<told_progress> told = of.read_progress(json_view::checked(params), reader);
    return told ? std::string(told->token) + ' ' + std::string(told->value.text()) : "none";
}

std::string cancelled_by(const profile& of, std::string_view params)
{
    message_reader reader{limits()};
    return std::string(of.read_cancel(json_view::checked(params), reader));
}

} // namespace

BOOST_AUTO_TEST_SUITE(profiles)

BOOST_AUTO_TEST_CASE(a_cancel_has_the_members_that_the_profile_names)
{
    const job_protocol jobs;
    BOOST_TEST(cancel_of(plain_profile, "enough") == R"({"id":7})");
    BOOST_TEST(cancel_of(jobs, "he said \"no\"") == R"({"job":7,"why \"so\"":"he said \"no\""})");
    BOOST_TEST(cancel_of(jobs, "") == R"({"job":7})");
    BOOST_TEST(!cancelled_by(jobs, R"({"job":7})").empty());
    BOOST_TEST(cancelled_by(jobs, R"({"job":7})") == cancelled_by(plain_profile, R"({"id":7})"));
    BOOST_TEST(cancelled_by(jobs, R"({"id":7})").empty());
}

BOOST_AUTO_TEST_CASE(progress_has_the_members_that_the_profile_names)
{
    const job_protocol jobs;
    BOOST_TEST(progress_of(plain_profile, "[1]") == R"(<{"token":"t","value":[1]}>)");
    BOOST_TEST(progress_of(jobs, "1") == R"(<{"job":"t","at":1}>)");
    BOOST_TEST(told_by(plain_profile, R"({"value":{"a":1},"token":3})") == R"(3 {"a":1})");
    BOOST_TEST(told_by(jobs, R"({"at":1,"job":"t"})") == "\"t\" 1");
    BOOST_TEST(told_by(jobs, R"({"job":"t"})") == "\"t\" ");
    BOOST_TEST(told_by(jobs, R"({"token":"t","at":1})") == "none");
}

BOOST_AUTO_TEST_CASE(members_of_a_value_may_stand_beside_the_token)
{
    const beside_protocol beside;
    BOOST_TEST(progress_of(beside, R"({"a":1,"token":2,"b":{"c":3}})") == R"(<{"token":"t","a":1,"b":{"c":3}}>)");
    BOOST_TEST(progress_of(beside, "{}") == R"(<{"token":"t"}>)");
    BOOST_TEST(told_by(beside, R"({"token":3,"a":1})") == R"(3 {"token":3,"a":1})");
    BOOST_CHECK_THROW(progress_of(beside, "1"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(nothing_stays_of_progress_that_can_not_be_written)
{
    const beside_protocol beside;
    for (const profile* each : {static_cast<const profile*>(&plain_profile), static_cast<const profile*>(&beside)}) {
        const std::string left = progress_of(*each, R"({"a":[[[1]]]})", 2);
        BOOST_TEST((left.starts_with('<') && left.find("token") == left.npos), left);
        BOOST_TEST(left != "<>");
    }
}

BOOST_AUTO_TEST_SUITE_END()
