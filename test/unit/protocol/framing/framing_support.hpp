#pragma once

#include <partyline/protocol/framing.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// Feeds a framing with a stream cut into pieces and keeps what it hands out. A discarded line is kept as "oversize
/// SIZE ID", with " response" behind it when it looks like one; what is wrong with a header as "problem: " and the
/// words, with "broken: " where nothing more can come.
class framing_driver {
public:
    explicit framing_driver(framing& under_test) : framing_(under_test) {}

    void feed(std::string_view piece)
    {
        while (!piece.empty()) {
            const std::span<char> room = framing_.prepare();
            const std::size_t count = std::min(room.size(), piece.size());
            std::memcpy(room.data(), piece.data(), count);
            framing_.commit(count);
            piece.remove_prefix(count);
            drain();
        }
    }

    void finish()
    {
        framing_.finish();
        drain();
    }

    const std::vector<std::string>& messages() const { return messages_; }
    bool all_end_in_nul() const { return all_end_in_nul_; }

private:
    void drain()
    {
        for (frame out; framing_.next(out);) {
            if (!out.problem.empty()) {
                messages_.push_back((out.is_broken ? "broken: " : "problem: ") + std::string(out.problem));
                continue;
            }
            if (out.is_oversize) {
                messages_.push_back("oversize " + std::to_string(out.size) + ' ' + std::string(out.id) +
                                    (out.looks_like_response ? " response"
                                     : out.is_batch          ? " batch"
                                                             : ""));
                continue;
            }
            messages_.emplace_back(out.text);
            all_end_in_nul_ = all_end_in_nul_ && out.text.data()[out.text.size()] == '\0';
        }
    }

    framing& framing_;
    std::vector<std::string> messages_;
    bool all_end_in_nul_ = true;
};

/// What a framing makes of a stream that comes in pieces of this size.
template <class Framing>
std::vector<std::string> framed(std::string_view stream, std::size_t piece, const limits& bounds = {})
{
    Framing cutting(bounds);
    framing_driver driver(cutting);
    for (std::size_t at = 0; at < stream.size(); at += piece)
        driver.feed(stream.substr(at, piece));
    driver.finish();
    BOOST_TEST(driver.all_end_in_nul());
    return driver.messages();
}

} // namespace partyline::test
