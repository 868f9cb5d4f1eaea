// Logs that can't be written, and logs that are renamed while they are: requests are served all the same, and it is
// known of each line where it is.

#include "served_program.hpp"
#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include <fcntl.h>

using namespace partyline::test;
namespace fs = std::filesystem;

namespace {

constexpr int many = 3000; // whose lines are more than is kept
constexpr int more = 8000; // than are kept beside those that a small disk has

const std::string note = "partyline: lines dropped here, which could not be written in time: ";

struct log_content {
    std::map<int, int> lines; // how often each number was asked for
    int dropped = 0;
    int broken = 0;
    int count() const { return static_cast<int>(lines.size()); }
};

// What is asked for is in the path, as "/n7".
log_content read_log(const std::string& text)
{
    log_content result;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) {
        const std::size_t path = line.find(R"("path":"/n)");
        if (line.starts_with(note))
            result.dropped += std::stoi(line.substr(note.size()));
        else if (line.starts_with("{\"time_ms\":") && line.ends_with("}") && path != line.npos)
            ++result.lines[std::stoi(line.substr(path + 10))];
        else
            ++result.broken;
    }
    return result;
}

void ask_many(served_program& of, int count)
{
    for (int i = 0; i < count; ++i)
        of.ask_for(i);
}

// The number of lines that could not be written, as the program says at its end.
int lines_lost(const std::string& said)
{
    const std::string words = "lines that could not be written: ";
    const std::size_t at = said.find(words);
    return at == said.npos ? 0 : std::stoi(said.substr(at + words.size()));
}

boost::test_tools::assertion_result can_mount(boost::unit_test::test_unit_id)
{
    boost::test_tools::assertion_result can(std::system("unshare -rm mount -t tmpfs tmpfs /tmp 2>/dev/null") ==
                                            0); // NOLINT(concurrency-mt-unsafe)
    can.message() << "a full disk needs a mount, which is not allowed here";
    return can;
}

} // namespace

BOOST_AUTO_TEST_SUITE(log_files, *boost::unit_test::timeout(200))

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(that_nobody_reads_stop_no_program_and_no_line_is_lost_unnoticed)
{
    for (const service_program& each : http_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            const scratch_directory scratch;
            pipe_ends fifo = make_fifo(scratch / "fifo");
            shrink_pipe(fifo.write.get());
            served_program s(each, {"--access-log", (scratch / "fifo").string()});
            fifo.write.reset();
            ask_many(s, many);
            BOOST_TEST(s.end() == each.end_code);
            const std::string said = s.said_rest();
            const log_content read = read_log(line_reader(std::move(fifo.read)).read_rest());
            BOOST_TEST(read.count() > 0);
            BOOST_TEST(read.broken <= 1); // the last one, which had no room
            BOOST_TEST(read.count() + lines_lost(said) == many, said);
        }
    }
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(that_take_nothing_stop_no_program_and_are_told_of_once)
{
    for (const service_program& each : http_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            served_program s(each, {"--access-log", "/dev/full"});
            ask_many(s, many);
            BOOST_TEST(s.end() == each.end_code);
            BOOST_TEST(s.said_rest() ==
                       each.name() + ": --access-log /dev/full: No space left on device\n" + each.name() +
                           ": --access-log /dev/full: lines that could not be written: " + std::to_string(many) + "\n");
        }
    }
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(whose_reader_has_gone_stop_no_program)
{
    const scratch_directory scratch;
    pipe_ends fifo = make_fifo(scratch / "fifo");
    served_program s(http_programs().front(), {"--access-log", (scratch / "fifo").string()});
    fifo = {};
    ask_many(s, 100);
    BOOST_TEST(s.end() == 128 + SIGTERM);
    const std::string said = s.said_rest();
    BOOST_TEST(contains(said, "/fifo: Broken pipe\n"), said);
    BOOST_TEST(lines_lost(said) == 100);
}

BOOST_AUTO_TEST_CASE(have_nothing_of_a_standard_error_that_is_closed)
{
    const scratch_directory scratch;
    const std::string log = (scratch / "access.log").string();
    const unique_fd nothing = open_file("/dev/null", O_RDWR);
    child_process s(PARTYLINE_ECHO, {"--http-unix", (scratch / "socket").string(), "--access-log", log},
                    {nothing.get(), nothing.get(), -1});
    wait_until([&] { return fs::exists(scratch / "socket"); });
    s.signal(SIGTERM);
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
    BOOST_TEST(read_file(log) == "");
}

BOOST_AUTO_TEST_CASE(that_are_a_fifo_without_a_reader_are_refused_at_the_start)
{
    const scratch_directory scratch;
    make_fifo(scratch / "fifo");
    pipe_ends errors = make_pipe();
    child_process s(PARTYLINE_ECHO, {"--http", "0", "--access-log", (scratch / "fifo").string()},
                    {-1, -1, errors.write.get()});
    errors.write.reset();
    BOOST_TEST(s.wait_exit() == 2);
    BOOST_TEST(contains(line_reader(std::move(errors.read)).read_rest(), "No such device or address"));
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(on_a_full_disk_stop_no_program_and_go_on_in_another_file,
                     *boost::unit_test::precondition(can_mount))
{
    for (const service_program& each : http_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            const scratch_directory scratch;
            const std::string here = (scratch / ".").string();
            served_program s(
                "/usr/bin/unshare",
                {"-rm", "sh", "-c", "mount -t tmpfs -o size=384k tmpfs " + here + " && exec \"$0\" \"$@\""}, each,
                {"--access-log", here + "/log"});
            const fs::path log =
                fs::path("/proc") / std::to_string(s.process().id()) / "root" / (here + "/log").substr(1);
            ask_many(s, more);
            const std::string said = s.said_next();
            BOOST_TEST(said == each.name() + ": --access-log " + here + "/log: No space left on device");
            const log_content old = read_log(read_file(log));
            fs::remove(log);
            s.process().signal(SIGHUP);
            wait_until([&] { return fs::exists(log) && fs::file_size(log) > 0; });
            s.ask_for(more);
            wait_until([&] { return read_log(read_file(log)).lines.count(more) != 0; });
            const log_content next = read_log(read_file(log));
            BOOST_TEST(s.end() == each.end_code);
            BOOST_TEST(s.said_rest() == "");
            BOOST_TEST(old.broken <= 1); // cut where the disk was full, and counted as dropped
            BOOST_TEST(next.broken == 0);
            BOOST_TEST(next.dropped > 0);
            BOOST_TEST(old.count() + next.count() + next.dropped == more + 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(that_are_renamed_under_load_lose_and_double_no_line)
{
    constexpr int rounds = 20;
    constexpr int each_round = 50;
    for (const service_program& each : http_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            const scratch_directory scratch;
            const std::string log = (scratch / "log").string();
            served_program s(each, {"--access-log", log});
            for (int round = 0; round < rounds; ++round) {
                for (int i = 0; i < each_round; ++i) {
                    s.ask_for(round * each_round + i);
                    if (i == each_round / 2) {
                        fs::rename(log, log + std::to_string(round));
                        s.process().signal(SIGHUP);
                    }
                }
                wait_until([&] { return fs::exists(log); });
            }
            BOOST_TEST(s.end() == each.end_code);
            std::string all = read_file(log);
            for (int round = 0; round < rounds; ++round)
                all += read_file(log + std::to_string(round));
            const log_content found = read_log(all);
            BOOST_TEST(found.count() == rounds * each_round);
            BOOST_TEST(found.broken == 0);
            BOOST_TEST(found.dropped == 0);
            for (const auto& [number, times] : found.lines)
                BOOST_TEST(times == 1, number);
        }
    }
}

BOOST_AUTO_TEST_CASE(of_messages_are_opened_again_too)
{
    for (const std::string option : {"--trace", "--message-log"}) {
        const scratch_directory scratch;
        const std::string log = (scratch / "log").string();
        served_program s(http_programs().front(), {option, log});
        const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"echo"})";
        BOOST_TEST(s.client().ask("/rpc", request).status == 200);
        wait_until([&] { return fs::file_size(log) > 0; });
        fs::rename(log, log + ".1");
        s.process().signal(SIGHUP);
        wait_until([&] { return fs::exists(log); });
        BOOST_TEST(s.client().ask("/rpc", request).status == 200);
        BOOST_TEST(s.end() == 128 + SIGTERM);
        for (const std::string& file : {log, log + ".1"})
            BOOST_TEST(contains(read_file(file), R"("method":"echo")"), option << ' ' << file);
    }
}

BOOST_AUTO_TEST_CASE(that_cannot_be_opened_again_go_on_in_the_old_file)
{
    const scratch_directory scratch;
    fs::create_directory(scratch / "logs");
    served_program s(http_programs().front(), {"--access-log", (scratch / "logs/log").string()});
    s.ask_for(0);
    fs::rename(scratch / "logs", scratch / "moved");
    s.process().signal(SIGHUP);
    int asked = 1;
    wait_until([&] {
        s.ask_for(asked++); // with a line it is told
        return s.has_said();
    });
    BOOST_TEST(contains(s.said_next(), "/logs/log: No such file or directory"));
    BOOST_TEST(s.end() == 128 + SIGTERM);
    BOOST_TEST(read_log(read_file(scratch / "moved/log")).count() == asked);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(hang_ups, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(end_no_program_that_listens)
{
    for (const service_program& each : all_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            served_program s(each, {});
            for (int i = 0; i < 20; ++i) {
                s.process().signal(SIGHUP);
                s.ask_for(i);
            }
            BOOST_TEST(s.end() == each.end_code);
        }
    }
}

// As under nohup.
BOOST_AUTO_TEST_CASE(that_are_ignored_stay_so_for_child_processes)
{
    const std::string told = "case $(grep SigIgn /proc/self/status) in *1) echo ignored;; *) echo taken;; esac";
    const service_program gateway{PARTYLINE_GATEWAY,
                                  {"--http", "0"},
                                  {"--", "/bin/sh", "-c", "{ " + told + "; } >&2; exec \"$0\"", PARTYLINE_ECHO}};
    for (const char* how : {"--ignore-signal=HUP", "--default-signal=HUP"}) {
        const std::string expected = how == std::string("--ignore-signal=HUP") ? "ignored" : "taken";
        served_program s("/usr/bin/env", {how}, gateway, {});
        s.process().signal(SIGHUP);
        BOOST_TEST(s.client().ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo"})").status == 200);
        BOOST_TEST(s.said_next() == "partyline-gateway: server: " + expected);
        served_program tools("/usr/bin/env", {how}, {PARTYLINE_TOOLS, {"--root", "/tmp", "--http", "0"}},
                             {"--allow-command", "sh"});
        const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_command",)"
                                 R"("arguments":{"command":"sh","arguments":["-c",")" +
                                 told +
                                 R"("]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                 R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
        const http_response result = tools.client().ask("/mcp", call,
                                                        "Accept: application/json, text/event-stream\r\n"
                                                        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
                                                        "Mcp-Name: run_command\r\n");
        BOOST_TEST(contains(result.body, expected), result.body);
    }
}

BOOST_AUTO_TEST_SUITE_END()
