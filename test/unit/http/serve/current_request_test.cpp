// How a connection reads a request, and what is known of its answer before it has been read.

#include "http/serve/current_request.hpp"
#include "http/serve/http_service.hpp"
#include "http/serve/rpc_endpoint.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline;

namespace {

http::server_options small_options(std::vector<std::string>& records)
{
    http::server_options options;
    options.allowed_hosts = {"a"};
    options.requests.requests_per_connection = 3;
    options.session.budget = std::make_shared<memory_budget>(std::size_t(200) << 10);
    options.access_log = [&](std::string_view line) { records.emplace_back(line); };
    return options;
}

std::string post(std::size_t length, std::string_view fields = {}, std::string_view path = "/rpc")
{
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
           std::string(fields) + "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}

struct reading_fixture {
    using reading = http::current_request::progress;

    std::vector<std::string> records;
    boost::asio::io_context context;
    std::shared_ptr<http::http_service> core =
        std::make_shared<http::http_service>(context.get_executor(), small_options(records));
    memory_budget& budget = *core->options().session.budget;
    http::borrowed_set work{core->working()};
    http::current_request current{*core, {}};

    reading_fixture() { core->add("/rpc", std::make_shared<http::rpc_endpoint>(core, partyline::method_table())); }

    reading read(std::string_view bytes)
    {
        work.take().in.append(bytes);
        return current.read(*work);
    }
    // What is known of the answer to a request that `bytes` decide about; 0: nothing.
    int status_after(std::string_view bytes, reading expected)
    {
        BOOST_TEST((read(bytes) == expected));
        const std::optional<http::response> known = current.take_known_answer();
        return known ? known->status : 0;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_current_request, reading_fixture)

BOOST_AUTO_TEST_CASE(a_request_is_complete_with_the_last_byte_of_its_body)
{
    BOOST_TEST((read("\r\n") == reading::more));
    BOOST_TEST(!current.has_head());
    BOOST_TEST((read(post(4) + "[1") == reading::more));
    BOOST_TEST(current.has_head());
    BOOST_TEST(status_after("2]GET", reading::complete) == 0);
    BOOST_TEST(current.take(*work).body == "[12]");
    BOOST_TEST(work->untaken() == "GET");
    current.end(*work);
    BOOST_TEST(!current.has_head());
    BOOST_TEST(records.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_short_body_that_nobody_wants_is_read_so_that_the_connection_may_go_on)
{
    BOOST_TEST((read(post(4, {}, "/none")) == reading::more));
    BOOST_TEST(status_after("1234", reading::complete) == 404);
    BOOST_TEST(!current.style().closes);
}

BOOST_AUTO_TEST_CASE(a_body_that_nobody_wants_is_not_waited_for_where_it_is_long_or_has_not_been_asked_for)
{
    BOOST_TEST(status_after(post(std::size_t(65) << 10, {}, "/none"), reading::refused) == 404);
    current.end(*work);
    BOOST_TEST(status_after(post(4, "Expect: 100-continue\r\n", "/none"), reading::refused) == 404);
}

BOOST_AUTO_TEST_CASE(a_head_that_cannot_be_read_is_refused_and_told_to_the_access_log)
{
    BOOST_TEST(status_after("GET / HTTP/1.1\r\nHost a\r\n", reading::refused) == 400);
    BOOST_TEST(!current.has_head());
    current.end(*work);
    BOOST_TEST(records.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_bodies_under_way_count_in_the_budget_until_they_are_answered)
{
    BOOST_TEST((read(post(100) + std::string(50, ' ')) == reading::more));
    BOOST_TEST(budget.used() == 50u);
    BOOST_TEST(status_after(std::string(50, ' '), reading::complete) == 0);
    BOOST_TEST(budget.used() == 100u);
    BOOST_TEST(current.take(*work).body.size() == 100u);
    BOOST_TEST(budget.used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_long_body_is_refused_where_the_budget_is_used_up_and_a_short_one_is_read)
{
    budget.add(budget.limit());
    BOOST_TEST(status_after(post(4) + "[12]", reading::complete) == 0);
    current.take(*work);
    current.end(*work);
    const std::string part(memory_budget::always + 1, ' ');
    BOOST_TEST(status_after(post(2 * part.size()) + part, reading::refused) == 503);
    current.forget_body();
    budget.sub(budget.limit());
    BOOST_TEST(budget.used() == 0u);
}

BOOST_AUTO_TEST_CASE(the_last_request_of_a_connection_says_that_it_closes)
{
    for (const bool closes : {false, false, true}) {
        BOOST_TEST(status_after(post(2) + "[]", reading::complete) == 0);
        BOOST_TEST(current.style().closes == closes);
        current.take(*work);
        current.end(*work);
    }
}

BOOST_AUTO_TEST_CASE(empty_lines_begin_no_request)
{
    work.take().in.append("\r\n\r\n");
    BOOST_TEST(!http::current_request::has_begun(*work));
    work->in.append("\r");
    BOOST_TEST(!http::current_request::has_begun(*work));
    work->in.append("\nG");
    BOOST_TEST(http::current_request::has_begun(*work));
}

BOOST_AUTO_TEST_SUITE_END()
