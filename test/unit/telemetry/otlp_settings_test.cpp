#include "command_line/otlp_settings.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

using command_line::otlp_settings;
using command_line::read_otlp;

namespace {

using variables = std::map<std::string, std::string>;

std::optional<otlp_settings> read(const std::string& given, const variables& set = {})
{
    return read_otlp(given, "partyline-echo", [&](const char* name) -> std::optional<std::string> {
        const auto found = set.find(name);
        return found == set.end() ? std::nullopt : std::optional<std::string>(found->second);
    });
}

std::string refusal(const std::string& given, const variables& set = {})
{
    try {
        read(given, set);
    } catch (const std::invalid_argument& why) {
        return why.what();
    }
    return {};
}

std::string value_of(const otlp_settings& in, const std::string& attribute)
{
    for (const auto& [name, value] : in.resource) {
        if (name == attribute)
            return value;
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(otlp_settings_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(an_address_without_a_path_has_that_of_traces)
{
    for (const char* const given : {"http://127.0.0.1:4318", "http://127.0.0.1:4318/"})
        BOOST_TEST(read(given)->url == "http://127.0.0.1:4318/v1/traces");
    BOOST_TEST(read("https://collector.example/api/otel")->url == "https://collector.example/api/otel");
}

BOOST_AUTO_TEST_CASE(without_an_address_the_environment_says_it)
{
    const variables both{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318/base/"},
                         {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b:4318/traces"}};
    BOOST_TEST(read("", both)->url == "http://b:4318/traces");
    BOOST_TEST(read("", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318/base/"}})->url ==
               "http://a:4318/base/v1/traces");
    BOOST_TEST(read("http://c:1", both)->url == "http://c:1/v1/traces");
    BOOST_TEST(refusal("").find("OTEL_EXPORTER_OTLP_ENDPOINT") != std::string::npos);
    BOOST_TEST(refusal("", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "a:4317"}}).starts_with("OTEL_EXPORTER_OTLP_ENDPOINT is"));
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_refused)
{
    for (const char* const given :
         {"collector:4317", "ftp://a", "http://", "http:///x", "http://a b", "http://a#b", "x"})
        BOOST_TEST(!refusal(given).empty(), given);
}

BOOST_AUTO_TEST_CASE(an_address_that_is_refused_shows_no_secret)
{
    for (const char* const given : {"http://user:planted@a:4318", "https://user:planted@a b", "user:planted@a:4318",
                                    "ftp://user:planted@a", "http://a b/?access_token=planted"}) {
        const std::string why = refusal("", {{"OTEL_EXPORTER_OTLP_ENDPOINT", given}});
        BOOST_TEST(why.starts_with("OTEL_EXPORTER_OTLP_ENDPOINT "), why);
        BOOST_TEST(why.find("planted") == why.npos, why);
    }
    BOOST_TEST(read("http://a/users/@me")->url == "http://a/users/@me");
}

BOOST_AUTO_TEST_CASE(headers_are_a_list_and_never_shown)
{
    const auto got = read("http://a", {{"OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20x, x-team = a=b ,,"}});
    BOOST_TEST_REQUIRE(got->fields.size() == 2u);
    BOOST_TEST(got->fields[0].first == "Authorization");
    BOOST_TEST(got->fields[0].second == "Bearer x");
    BOOST_TEST(got->fields[1].first == "x-team");
    BOOST_TEST(got->fields[1].second == "a=b");
    for (const char* const list : {"planted", "=planted", "a b=planted", "x=planted%0d%0aY:z"}) {
        const std::string why = refusal("http://a", {{"OTEL_EXPORTER_OTLP_HEADERS", list}});
        BOOST_TEST(!why.empty(), list);
        BOOST_TEST(why.find("planted") == why.npos);
    }
}

BOOST_AUTO_TEST_CASE(the_resource_is_named_by_the_environment_or_as_the_program)
{
    BOOST_TEST(value_of(*read("http://a"), "service.name") == "partyline-echo");
    const std::string attributes = "service.name=one,deployment.environment=test%2C%31";
    const auto got = read("http://a", {{"OTEL_RESOURCE_ATTRIBUTES", attributes}});
    BOOST_TEST(value_of(*got, "service.name") == "one");
    BOOST_TEST(value_of(*got, "deployment.environment") == "test,1");
    const auto named = read("http://a", {{"OTEL_RESOURCE_ATTRIBUTES", attributes}, {"OTEL_SERVICE_NAME", "two"}});
    BOOST_TEST(value_of(*named, "service.name") == "two");
    BOOST_TEST(named->resource.size() == 2u);
}

BOOST_AUTO_TEST_CASE(the_environment_can_turn_it_off)
{
    for (const char* const yes : {"true", "TRUE"})
        BOOST_TEST(!read("http://a", {{"OTEL_SDK_DISABLED", yes}}));
    for (const char* const no : {"false", "1", ""})
        BOOST_TEST(read("http://a", {{"OTEL_SDK_DISABLED", no}}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
