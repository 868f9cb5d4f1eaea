#include "request_rows.hpp"

#include <utility>

using namespace std::literals;

namespace partyline::test {
namespace {

const std::string hidden = "GET /hidden HTTP/1.1\r\n" + host_line + "\r\n";

std::string length_of(const std::string& content)
{
    return "Content-Length: " + std::to_string(content.size()) + "\r\n";
}

// Either reader of these sees another body, in both orders and with the length of all of it, a part and none.
void add_contradictions(std::vector<request_row>& rows, int status, std::initializer_list<std::string> codings)
{
    const std::string ends_early = "0\r\n\r\n" + hidden;
    const std::string in_a_chunk = "21\r\n" + hidden + "\r\n0\r\n\r\n";
    for (const std::string& coding : codings) {
        for (const std::string& content : {ends_early, in_a_chunk}) {
            for (const std::string& length : {length_of(content), "Content-Length: 4\r\n"s, "Content-Length: 0\r\n"s}) {
                rows.push_back({coding + ", then " + length, post_with(coding + "\r\n" + length, content), status});
                rows.push_back({length + ", then " + coding, post_with(length + coding + "\r\n", content), status});
            }
        }
    }
}

} // namespace

std::vector<request_row> hidden_request_rows()
{
    std::vector<request_row> rows;
    add_contradictions(rows, 400,
                       {"Transfer-Encoding: chunked", "Transfer-Encoding:chunked", "TRANSFER-encoding: Chunked",
                        "Transfer-Encoding: chunked ", "Transfer-Encoding:\tchunked", "Transfer-Encoding : chunked",
                        "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: \vchunked",
                        "X: y\nTransfer-Encoding: chunked",
                        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"});
    add_contradictions(rows, 501,
                       {"Transfer-Encoding: xchunked", "Transfer-Encoding: gzip",
                        "Transfer-Encoding: chunked, identity", "Transfer-Encoding: , chunked",
                        "Transfer-Encoding:", "Transfer-Encoding: identity"});
    const std::string chunks = "0\r\n\r\n" + hidden;
    const std::string coding = "Transfer-Encoding: chunked\r\n";
    rows.push_back(
        {"two lengths", post_with("Content-Length: 4\r\n" + length_of("abcd" + hidden), "abcd" + hidden), 400});
    rows.push_back({"a length that is none, and chunks", post_with("Content-Length: 5x\r\n" + coding, chunks), 400});
    rows.push_back({"a length with a sign, and chunks", post_with("Content-Length: +5\r\n" + coding, chunks), 400});
    rows.push_back({"a name like it, and a length",
                    post_with("Transfer_Encoding: chunked\r\n" + length_of(chunks), chunks), request_row::fine,
                    chunks});
    rows.push_back({"no body", post_with("Content-Length: 0\r\n", hidden), request_row::fine, {}, hidden});
    rows.push_back({"GET with a body", "GET / HTTP/1.1\r\n" + host_line + length_of(hidden) + "\r\n" + hidden,
                    request_row::fine, hidden});
    rows.push_back(
        {"OPTIONS with a folded coding",
         "OPTIONS / HTTP/1.1\r\n" + host_line + "Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n01234",
         400});
    return rows;
}

std::vector<request_row> all_request_rows()
{
    std::vector<request_row> all;
    for (const auto rows_of : {request_line_rows, target_rows, host_rows, field_rows, length_rows, coding_rows,
                               hidden_request_rows, chunk_rows, chunk_end_rows}) {
        for (request_row& row : rows_of())
            all.push_back(std::move(row));
    }
    return all;
}

} // namespace partyline::test
