#include "fuzz/websocket_judge.hpp"

#include "protocol/json/utf8_check.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/beast/_experimental/test/stream.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace asio = boost::asio;
namespace beast = boost::beast;

namespace partyline::test {
namespace {

// Beast doesn't look whether a character is whole at the end of a text whose last frame is empty.
bool is_whole_text(std::string_view text)
{
    utf8_check check;
    return check.feed(text) && check.is_whole();
}

} // namespace

std::vector<std::string> judge_frames(std::string_view bytes, std::size_t longest)
{
    asio::io_context context;
    beast::websocket::stream<beast::test::stream> peer(context);
    beast::test::stream far(context);
    peer.next_layer().connect(far);
    peer.read_message_max(longest);
    const std::string_view request = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    peer.next_layer().append(request);
    beast::error_code failed;
    peer.accept(failed);
    peer.next_layer().append(bytes);
    far.close();
    std::vector<std::string> messages;
    while (!failed) {
        beast::flat_buffer message;
        peer.read(message, failed);
        if (failed)
            break;
        messages.push_back(beast::buffers_to_string(message.data()));
        if (peer.got_text() && !is_whole_text(messages.back())) {
            messages.pop_back();
            break;
        }
    }
    return messages;
}

} // namespace partyline::test
