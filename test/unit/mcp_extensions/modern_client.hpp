#pragma once

#include "support/text_search.hpp"

#include <partyline/mcp/server.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace partyline::test {

/// A client of a server on a context of its own. Without a principal unless told. Fails the test when it has waited for
/// 20 s.
class modern_client {
public:
    static constexpr std::chrono::seconds longest_wait{20};

    explicit modern_client(const mcp::server& of, boost::asio::io_context& context, std::string principal = {})
        : context_(context)
    {
        auto [here, there] = memory_stream::make_pair(context.get_executor());
        session_options options;
        auto peer = std::make_shared<peer_identity>();
        peer->principal = std::move(principal);
        options.peer = std::move(peer);
        of.prepare(options);
        serving_.emplace(std::move(there), of.methods(), std::move(options));
        calling_.emplace(std::move(here));
        serving_->async_run([](error_code) {});
        calling_->async_run([](error_code) {});
    }

    /// Calls, and waits for nothing. What is returned is there when the answer has come.
    std::shared_ptr<std::optional<response>> say(std::string method, boost::json::object params)
    {
        params["_meta"] = boost::json::parse(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                             R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{},)"
                                             R"("extensions":{"io.modelcontextprotocol/tasks":{}}}})");
        const auto answer = std::make_shared<std::optional<response>>(); // the call may outlive a wait that fails
        calling_->call(std::move(method),
                       std::move(params))([answer](error_code, response got) { answer->emplace(std::move(got)); });
        return answer;
    }
    /// The result, or the code of the error.
    std::string ask(std::string method, boost::json::object params)
    {
        const response answer = response_to(std::move(method), std::move(params));
        return answer ? answer->text() : std::to_string(answer.error()->code);
    }
    /// The error: its code, its message and its data.
    std::string refusal(std::string method, boost::json::object params)
    {
        const response answer = response_to(std::move(method), std::move(params));
        BOOST_REQUIRE(answer.error());
        const error_object& error = *answer.error();
        const std::string data = error.data ? boost::json::serialize(*error.data) : std::string();
        return std::to_string(error.code) + ' ' + error.message + ' ' + data;
    }
    std::string call(std::string tool)
    {
        return ask("tools/call", {{"name", tool}, {"arguments", boost::json::object()}});
    }
    std::string id_of(std::string tool)
    {
        return std::string(boost::json::parse(call(std::move(tool))).at("taskId").as_string());
    }
    std::string get(const std::string& id) { return ask("tasks/get", {{"taskId", id}}); }
    /// Asks for the task, again and again while other things happen, until it has that status.
    std::string wait_for(const std::string& id, const std::string& status)
    {
        return wait_for_text(id, R"("status":")" + status + '"');
    }
    /// The same until it says that.
    std::string wait_for_text(const std::string& id, const std::string& text)
    {
        const auto deadline = std::chrono::steady_clock::now() + longest_wait;
        std::string now = get(id);
        while (!contains(now, text)) {
            BOOST_REQUIRE_MESSAGE(contains(now, R"("status":"working")"), now);
            BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline,
                                  "it does not say " << text << ": " << now);
            now = get(id);
        }
        return now;
    }
    void close() { calling_->close(); }

private:
    response response_to(std::string method, boost::json::object params)
    {
        const auto answer = say(std::move(method), std::move(params));
        context_.restart();
        const auto deadline = std::chrono::steady_clock::now() + longest_wait;
        while (!*answer) {
            BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, "no answer");
            BOOST_REQUIRE_MESSAGE(context_.run_one_until(deadline) != 0, "no answer, and nothing is left to happen");
        }
        return std::move(**answer);
    }

    boost::asio::io_context& context_;
    std::optional<session> serving_;
    std::optional<session> calling_;
};

} // namespace partyline::test
