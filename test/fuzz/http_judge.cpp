#include "fuzz/http_judge.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstdint>
#include <limits>

namespace beast_http = boost::beast::http;

namespace partyline::test {

judged_request judge_request(std::string_view text)
{
    beast_http::request_parser<beast_http::string_body> parser;
    parser.eager(true);
    parser.header_limit(std::numeric_limits<std::uint32_t>::max());
    parser.body_limit(boost::none);
    judged_request result;
    while (text.substr(result.used).starts_with("\r\n")) // which Beast does not skip
        result.used += 2;
    while (!parser.is_done()) {
        boost::system::error_code failed;
        const std::string_view rest = text.substr(result.used);
        const std::size_t count = parser.put(boost::asio::buffer(rest.data(), rest.size()), failed);
        result.used += count;
        require(!failed, "Beast reads it, too", text);
        require(count != 0 || parser.is_done(), "Beast reads it to its end", text);
    }
    result.method = std::string_view(parser.get().method_string());
    result.target = std::string_view(parser.get().target());
    result.body = parser.get().body();
    return result;
}

namespace {

using whole_response_parser = beast_http::response_parser<beast_http::string_body>;

// Says how many of the bytes it takes.
std::size_t feed_whole(whole_response_parser& parser, std::string_view text)
{
    parser.eager(true);
    parser.header_limit(std::numeric_limits<std::uint32_t>::max());
    parser.body_limit(boost::none);
    std::size_t used = 0;
    boost::system::error_code failed;
    while (!parser.is_done()) {
        const std::string_view rest = text.substr(used);
        const std::size_t count = parser.put(boost::asio::buffer(rest.data(), rest.size()), failed);
        used += count;
        if (count == 0 || failed == beast_http::error::need_more)
            break;
        require(!failed, "Beast reads it, too", text);
    }
    if (!parser.is_done()) {
        boost::system::error_code at_end;
        parser.put_eof(at_end);
        require(!at_end && parser.is_done(), "Beast reads it to its end", text);
    }
    return used;
}

} // namespace

judged_whole_response judge_response(std::string_view text, bool has_no_body)
{
    judged_whole_response result;
    bool is_interim = true;
    while (is_interim) {
        whole_response_parser parser;
        parser.skip(has_no_body);
        const std::size_t used = feed_whole(parser, text.substr(result.used));
        result.used += used;
        result.status = static_cast<int>(parser.get().result_int());
        result.reason = std::string(parser.get().reason());
        result.body = parser.get().body();
        result.keeps_alive = parser.keep_alive();
        is_interim = result.status < 200 && result.status != 101;
    }
    return result;
}

namespace {

judged_response take_response(std::string_view& text, bool has_body)
{
    beast_http::response_parser<beast_http::string_body> parser;
    parser.eager(true);
    parser.skip(!has_body);
    parser.body_limit(boost::none);
    const std::string_view all = text;
    boost::system::error_code failed;
    while (!parser.is_done() && !text.empty() && !failed)
        text.remove_prefix(parser.put(boost::asio::buffer(text.data(), text.size()), failed));
    if (failed == beast_http::error::need_more) {
        text = {};
        return {};
    }
    require(!failed, "Beast reads what is sent", all);
    const bool is_to_the_end = parser.is_header_done() && parser.need_eof() && !parser.is_done();
    return {static_cast<int>(parser.get().result_int()), parser.is_done() || is_to_the_end,
            is_to_the_end || !parser.get().keep_alive()};
}

} // namespace

std::vector<judged_response> judge_responses(std::string_view text, const std::vector<std::string>& methods)
{
    std::vector<judged_response> all;
    while (!text.empty()) {
        const bool is_for_head = all.size() < methods.size() && methods[all.size()] == "HEAD";
        const judged_response one = take_response(text, !is_for_head);
        if (one.status / 100 != 1)
            all.push_back(one);
    }
    return all;
}

std::vector<std::string_view> cut(std::string_view text, fuzz_input& input)
{
    constexpr std::size_t max_pieces = 500;
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t size = pieces.size() == max_pieces ? text.size() : 1 + input.choose_again(64);
        pieces.push_back(text.substr(0, size));
        text.remove_prefix(pieces.back().size());
    }
    return pieces;
}

} // namespace partyline::test
