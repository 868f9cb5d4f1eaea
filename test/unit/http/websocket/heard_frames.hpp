#pragma once

#include "http/websocket/websocket_framing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

/// What a framing makes of bytes that come in pieces, in words: `[a][b]` for messages, then what it owes and how it
/// ends.
class heard_frames {
public:
    using framing = partyline::http::websocket_framing;

    explicit heard_frames(framing& of) : of_(of) {}

    void take(std::string_view piece)
    {
        while (!piece.empty()) {
            const auto room = of_.prepare();
            const std::size_t count = std::min(piece.size(), room.size());
            std::memcpy(room.data(), piece.data(), count);
            of_.commit(count);
            piece.remove_prefix(count);
            partyline::frame next;
            while (of_.next(next)) {
                words_ += '[' + std::string(next.text) + ']';
                is_stopped_ = is_stopped_ && next.text.data()[next.text.size()] == '\0';
            }
        }
    }
    std::string words()
    {
        partyline::byte_buffer out;
        if (of_.owes())
            of_.append_owed(out);
        std::string all = words_;
        for (std::string_view left = out.view(); !left.empty();) {
            const auto size = static_cast<unsigned char>(left[1]);
            all += " pong " + std::string(left.substr(2, size));
            left.remove_prefix(2 + size);
        }
        const auto end = of_.input_end();
        if (!end)
            return all;
        out.clear();
        of_.append_end(*end, out);
        const std::string content = content_of(out.view());
        all += " end";
        if (!content.empty())
            all += ' ' + std::to_string(static_cast<unsigned char>(content[0]) * 256 +
                                        static_cast<unsigned char>(content[1]));
        return all;
    }
    /// Each message had a NUL behind it.
    bool is_stopped() const noexcept { return is_stopped_; }

private:
    // Of a short frame, masked or not.
    static std::string content_of(std::string_view frame)
    {
        if (static_cast<signed char>(frame[1]) >= 0)
            return std::string(frame.substr(2));
        std::string content(frame.substr(6));
        for (std::size_t i = 0; i != content.size(); ++i)
            content[i] = static_cast<char>(content[i] ^ frame[2 + i % 4]);
        return content;
    }

    framing& of_;
    std::string words_;
    bool is_stopped_ = true;
};
