#pragma once

#include "support/text_search.hpp"

#include <partyline/mcp/server.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace partyline::test {

/// A client of a server on a context of its own. Without a principal unless told.
class modern_client {
public:
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

    /// The result, or the error, as JSON.
    std::string ask(std::string method, boost::json::object params)
    {
        params["_meta"] = boost::json::parse(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                             R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{},)"
                                             R"("extensions":{"io.modelcontextprotocol/tasks":{}}}})");
        std::optional<response> answer;
        calling_->call(std::move(method),
                       std::move(params))([&](error_code, response got) { answer.emplace(std::move(got)); });
        context_.restart();
        while (!answer)
            BOOST_REQUIRE(context_.run_one() != 0);
        return *answer ? (*answer)->text() : std::to_string(answer->error()->code);
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
        for (;;) {
            const std::string now = get(id);
            if (contains(now, text))
                return now;
            BOOST_REQUIRE_MESSAGE(contains(now, R"("status":"working")"), now);
        }
    }
    void close() { calling_->close(); }

private:
    boost::asio::io_context& context_;
    std::optional<session> serving_;
    std::optional<session> calling_;
};

} // namespace partyline::test
