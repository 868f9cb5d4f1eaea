// The other side is clangd, a language server of which nothing is ours.

#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/foreign_client.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;

namespace {

constexpr int request_cancelled = -32800;

// Starts it in a folder with one file, and goes through the handshake.
class clangd_client : public foreign_client {
public:
    explicit clangd_client(const std::string& text) : file_(folder_ / "sample.cpp")
    {
        write_file(file_, text);
        // Else it reads the standard library first, whatever the file includes, and does not end before it has.
        write_file(folder_ / ".clangd", "Index:\n  StandardLibrary: No\n");
        options.framing = framing_kind::content_length;
        methods.add("window/workDoneProgress/create", [](json::value) {});
        listen_to("textDocument/publishDiagnostics");
        child_options how;
        how.working_directory = file_.parent_path();
        how.variables = {{"HOME", how.working_directory}, {"XDG_CONFIG_HOME", how.working_directory}};
        how.errors = child_stderr::capture;
        how.exit_wait = patience;
        start_server({"clangd-19", "--log=error"}, std::move(how));
        initialize();
        const json::object opened{{"languageId", "cpp"}, {"version", 1}, {"text", text}};
        notify("textDocument/didOpen", {{"textDocument", document(opened)}});
    }

    json::object introduction;

    json::object document(json::object more = {}) const
    {
        more["uri"] = uri();
        return more;
    }

    json::value at(int line, int character) const
    {
        return {{"textDocument", document()}, {"position", {{"line", line}, {"character", character}}}};
    }

    void replace_text(int version, const std::string& text)
    {
        const json::object changed = document({{"version", version}});
        const json::array changes{{{"text", text}}};
        notify("textDocument/didChange", {{"textDocument", changed}, {"contentChanges", changes}});
    }

    // Those of a version of the file, which it will tell.
    json::array diagnostics(int version)
    {
        json::array found;
        run_until([&] {
            const std::vector<json::value> told = heard_of("textDocument/publishDiagnostics");
            const auto it = std::find_if(told.rbegin(), told.rend(), [&](const json::value& params) {
                return params.at("uri").as_string() == uri() && params.at("version") == version;
            });
            if (it == told.rend())
                return false;
            found = it->at("diagnostics").as_array();
            return true;
        });
        return found;
    }

    // Starts a call and says under which id it went.
    std::pair<pending, std::string> start_known(const std::string& method, json::value params)
    {
        const std::set<std::string> before = our_ids;
        const pending call = start(method, std::move(params));
        run_until([&] { return our_ids.size() > before.size(); });
        std::vector<std::string> added;
        std::set_difference(our_ids.begin(), our_ids.end(), before.begin(), before.end(), std::back_inserter(added));
        return {call, added.front()};
    }

    void expect_orderly_end()
    {
        BOOST_TEST(result_of(start("shutdown")).is_null());
        notify("exit");
        BOOST_TEST(wait_end() == error_code());
        BOOST_TEST_REQUIRE(server().exit().has_value());
        BOOST_TEST(server().exit()->is_success(), server().last_stderr_lines());
    }

private:
    std::string uri() const { return "file://" + file_.string(); }

    void initialize()
    {
        const json::value capabilities{{"window", {{"workDoneProgress", true}}},
                                       {"textDocument", {{"publishDiagnostics", {{"versionSupport", true}}}}}};
        const std::string folder = "file://" + file_.parent_path().string();
        const json::value params{{"processId", ::getpid()}, {"rootUri", folder}, {"capabilities", capabilities}};
        introduction = result_of(start("initialize", params)).as_object();
        notify("initialized", json::object());
    }

    scratch_directory folder_;
    std::filesystem::path file_;
};

const std::string faulty = "int answer() { return 42; }\nint wrong = no_such_thing;\n";
const std::string mended = "int answer() { return 42; }\nint wrong = answer();\n";

} // namespace

BOOST_AUTO_TEST_SUITE(clangd, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(it_introduces_itself_and_ends_in_order)
{
    clangd_client client(mended);
    BOOST_TEST(client.introduction.at("serverInfo").at("name") == "clangd");
    BOOST_TEST(client.introduction.at("capabilities").at("hoverProvider") == true);
    client.expect_orderly_end();
}

BOOST_AUTO_TEST_CASE(its_diagnostics_follow_the_text)
{
    clangd_client client(faulty);
    const json::array found = client.diagnostics(1);
    BOOST_TEST_REQUIRE(found.size() == 1u, json::value(found));
    BOOST_TEST(found[0].at_pointer("/range/start/line") == 1);
    BOOST_TEST(contains(std::string(found[0].at("message").as_string()), "no_such_thing"), found[0]);
    client.replace_text(2, mended);
    BOOST_TEST(client.diagnostics(2).empty());
    client.expect_orderly_end();
}

BOOST_AUTO_TEST_CASE(hover_tells_what_a_symbol_is)
{
    clangd_client client(faulty);
    const json::value hover = client.result_of(client.start("textDocument/hover", client.at(0, 5)));
    BOOST_TEST(contains(std::string(hover.at_pointer("/contents/value").as_string()), "answer"), hover);
    BOOST_TEST(client.result_of(client.start("textDocument/hover", client.at(2, 0))).is_null());
    client.expect_orderly_end();
}

BOOST_AUTO_TEST_CASE(many_calls_at_once_are_answered)
{
    clangd_client client(mended);
    std::vector<pending> calls;
    for (int i = 0; i < 100; ++i)
        calls.push_back(client.start("textDocument/hover", client.at(i % 2, 5)));
    for (int i = 0; i < 100; ++i) {
        const json::value hover = client.result_of(calls[i]);
        const std::string text(hover.at_pointer("/contents/value").as_string());
        BOOST_TEST(contains(text, i % 2 ? "wrong" : "answer"), text);
    }
    client.expect_orderly_end();
}

BOOST_AUTO_TEST_CASE(its_errors_are_values)
{
    clangd_client client(mended);
    BOOST_TEST(client.error_of(client.start("no/such/method", json::object())).code == -32601);
    client.expect_orderly_end();
}

// Whether a cancel comes in time is up to it, but answer it must.
BOOST_AUTO_TEST_CASE(a_request_that_is_cancelled_is_answered)
{
    clangd_client client(faulty);
    const auto [call, id] = client.start_known("workspace/symbol", {{"query", "answer"}});
    client.notify("$/cancelRequest", {{"id", std::stoi(id)}});
    const settled end = client.wait(call);
    BOOST_TEST(!end.failed, end.failed.message());
    if (end.reply.error())
        BOOST_TEST(end.reply.error()->code == request_cancelled, end.reply.error()->message);
    else
        BOOST_TEST(end.reply.value().is_array());
    client.expect_orderly_end();
}

BOOST_AUTO_TEST_CASE(its_answer_to_a_call_that_was_given_up_is_ignored)
{
    clangd_client client(faulty);
    asio::cancellation_signal cancel;
    const pending call = client.start("textDocument/hover", client.at(0, 5), {}, cancel.slot());
    const pending other = client.start("textDocument/hover", client.at(0, 5));
    client.run_until([&] { return client.our_ids.size() >= 3; });
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(client.wait(call).failed == asio::error::operation_aborted);
    BOOST_TEST(!client.result_of(other).is_null());
    client.run_until([&] { return client.talk().counters().late_replies == 1; });
    client.expect_orderly_end();
}

BOOST_AUTO_TEST_SUITE_END()
