#pragma once

#include "tls_fixture.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>

namespace partyline::test {

/// A stream of ours, and the foreign client at its other end.
struct stream_fixture : tls_fixture {
    handshake_outcome server_side;
    std::unique_ptr<foreign_client> client = make_foreign_client();

    tls::stream& ours() { return *server_side.stream; }
    void shake() { tls_fixture::shake(*client, server_side); }

    void say(const std::string& text)
    {
        bool is_said = false;
        boost::asio::async_write(client->stream, boost::asio::buffer(text),
                                 [&](error_code, std::size_t) { is_said = true; });
        BOOST_TEST_REQUIRE(run_until([&] { return is_said; }));
    }
    std::string hear(std::size_t size)
    {
        std::string text(size, '\0');
        std::optional<error_code> failed;
        boost::asio::async_read(client->stream, boost::asio::buffer(text),
                                [&](error_code result, std::size_t) { failed = result; });
        BOOST_TEST_REQUIRE(run_until([&] { return failed.has_value(); }));
        return *failed ? failed->message() : text;
    }
    // What reading fails with.
    error_code end_of_input()
    {
        error_code failed;
        while (!failed)
            read_line(ours(), failed);
        return failed;
    }
};

} // namespace partyline::test
