#pragma once

#include "support/dialogue.hpp"

#include <partyline/lsp/lsp.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace partyline::test {

/// A session in the LSP profile, whose peer writes lines all the same.
struct language_server : dialogue {
    gate held{context};

    language_server()
    {
        options.profile = &lsp::profile;
        options.framing = framing_kind::lines;
        methods.add("echo", [](boost::json::value params) { return params; });
        methods.add("wait", [this](request_context&) -> boost::asio::awaitable<int> {
            co_await held.wait();
            co_return 1;
        });
    }

    /// With a method "initialize" of its own.
    void add_initialize()
    {
        methods.add("initialize", [](boost::json::value) { return "ready"; });
    }

    void initialize(std::string_view params = "{}")
    {
        add_initialize();
        send(request("0", "initialize", params));
        expect(result("0", "\"ready\""));
    }

    /// The code of the error in the next message, which must be for this request.
    int receive_error(std::string_view id)
    {
        const std::string line = receive();
        const boost::json::value message = boost::json::parse(line);
        BOOST_TEST(line.starts_with(R"({"jsonrpc":"2.0","id":)" + std::string(id) + ",\"error\""), line);
        return message.at("error").at("code").to_number<int>();
    }
};

} // namespace partyline::test
