#include "support/child_fixture.hpp"
#include "support/descriptors.hpp"
#include "transport/child/stderr_reader.hpp"

#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <signal.h>
#include <unistd.h>

namespace asio = boost::asio;
using partyline::child_exit;
using partyline::child_options;
using partyline::child_process;
using partyline::child_stderr;
using partyline::error_code;
using partyline::test::checked;

namespace {

struct fixture : partyline::test::child_fixture {
    child_options captured()
    {
        child_options options;
        options.errors = child_stderr::capture;
        options.on_stderr_line = [this](std::string_view line) { lines.emplace_back(line); };
        return options;
    }

    std::vector<std::string> lines;
};

// Makes our standard error a pipe for a while.
class heard_errors {
public:
    heard_errors() : kept_(partyline::test::duplicate(2)), pipe_(partyline::test::make_pipe())
    {
        checked(::dup2(pipe_.write.get(), 2), "dup2");
        pipe_.write.reset();
    }
    ~heard_errors() { restore(); }
    heard_errors(const heard_errors&) = delete;
    heard_errors& operator=(const heard_errors&) = delete;

    // All there is, once nobody has the pipe any more.
    std::string take()
    {
        restore();
        std::string all;
        char room[256];
        for (ssize_t count; (count = ::read(pipe_.read.get(), room, sizeof room)) > 0;)
            all.append(room, static_cast<std::size_t>(count));
        return all;
    }

private:
    void restore() { ::dup2(kept_.get(), 2); }

    partyline::test::unique_fd kept_;
    partyline::test::pipe_ends pipe_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_stderr_suite, fixture, *boost::unit_test::timeout(60))

// rule: mcp.stdio.stderr
BOOST_AUTO_TEST_CASE(what_it_says_is_passed_on_or_dropped)
{
    heard_errors heard;
    for (const auto errors : {child_stderr::drop, child_stderr::pass_on}) {
        child_options options;
        options.errors = errors;
        child_process child = start({"complain", "1", errors == child_stderr::drop ? "dropped" : "passed on"}, options);
        wait_exit(child);
    }
    BOOST_TEST(heard.take() == "passed on");
}

BOOST_AUTO_TEST_CASE(its_last_lines_are_known_when_it_has_ended)
{
    child_process child = start({"complain", "3", "first\n", "second\r\n", "\n", "last"}, captured());
    BOOST_TEST(read_all(child) == "");
    const partyline::detail::end_reason why = child.why_ended();
    BOOST_TEST(why.code == child_exit::with_status(3).code());
    BOOST_TEST(why.details == "first\nsecond\n\nlast");
    BOOST_TEST(child.report()->last_stderr_lines() == why.details);
    BOOST_TEST((lines == std::vector<std::string>{"first", "second", "", "last"}));
}

BOOST_AUTO_TEST_CASE(long_lines_are_cut_and_what_is_no_text_is_replaced)
{
    child_process child = start({"complain", "1", std::string(5000, 'x'), "\n", "\xff|"}, captured());
    BOOST_TEST(read_all(child) == "");
    BOOST_REQUIRE(lines.size() == 2u);
    BOOST_TEST(lines[0] == std::string(child_options::max_stderr_line, 'x'));
    BOOST_TEST(lines[1] == "\xff|");
    BOOST_TEST(child.why_ended().details == lines[0] + "\n\xEF\xBF\xBD|");
}

BOOST_AUTO_TEST_CASE(a_flood_holds_up_nothing_and_is_not_kept)
{
    child_process child = start({"flood"}, captured());
    const std::string line = std::string(1000, 'y') + '\n';
    std::optional<partyline::test::transferred> written;
    for (int i = 0; i < 100; ++i) {
        asio::async_write(child, asio::buffer(line), into(written));
        BOOST_REQUIRE((read_line(child) + '\n' == line));
    }
    child.close_send();
    BOOST_TEST(read_all(child) == "");
    const std::string last = child.why_ended().details;
    BOOST_TEST(last.size() <= 4096u);
    BOOST_TEST(std::count(last.begin(), last.end(), '\n') == 19);
    BOOST_TEST(last.ends_with("x\nlast words"));
    BOOST_TEST(lines.size() == 256u * 1024 + 1);
}

BOOST_AUTO_TEST_CASE(a_grandchild_that_holds_standard_error_holds_up_nothing)
{
    child_process child = start({"have_child", "free"}, captured());
    const pid_t grandchild = std::stoi(read_line(child));
    BOOST_TEST((end(child).how == child_exit::with_status(7)));
    context.restart();
    BOOST_TEST(context.run_for(std::chrono::seconds(10)) < 100u);
    BOOST_TEST(context.stopped()); // nobody reads on
    ::kill(grandchild, SIGKILL);
}

BOOST_AUTO_TEST_CASE(the_hook_may_end_it)
{
    child_process* known = nullptr;
    child_options options = captured();
    options.on_stderr_line = [&](std::string_view) {
        BOOST_TEST(known->why_ended().details != "");
        known->kill();
    };
    child_process child = start({"flood"}, options);
    known = &child;
    BOOST_TEST((wait_exit(child) == child_exit::by_signal(SIGKILL)));
}

BOOST_AUTO_TEST_CASE(the_hook_may_close_it)
{
    child_process* known = nullptr;
    child_options options = captured();
    options.on_stderr_line = [&](std::string_view) { known->close(); };
    child_process child = start({"complain", "1", "one\n", "two\n"}, options);
    known = &child;
    wait_exit(child);
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(what_is_in_the_pipe_at_the_end_is_read)
{
    partyline::test::pipe_ends pipe = partyline::test::make_pipe();
    const auto report = std::make_shared<partyline::child_report>(1);
    const auto reader = std::make_shared<partyline::stderr_reader>(
        context.get_executor(), partyline::owned_descriptor(::dup(pipe.read.get())), report,
        [this](std::string_view line) { lines.emplace_back(line); });
    const std::string_view words = "last words\nand no more";
    checked(static_cast<int>(::write(pipe.write.get(), words.data(), words.size())), "write");
    bool is_done = false;
    reader->finish([&] { is_done = true; }); // somebody else may hold the pipe: its end is not waited for
    BOOST_TEST(is_done);
    BOOST_TEST((lines == std::vector<std::string>{"last words", "and no more"}));
    BOOST_TEST(report->last_stderr_lines() == "last words\nand no more");
}

BOOST_AUTO_TEST_SUITE_END()
