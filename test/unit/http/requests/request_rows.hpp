#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace partyline::test {

/// Bytes that come over a connection, and what is to become of them.
struct request_row {
    static constexpr int fine = 0;
    static constexpr int unfinished = -1; // more has to come

    std::string name;
    std::string bytes;
    int status = fine;     // or what it is refused with
    std::string body = {}; // of one that is fine
    std::string rest = {}; // behind it

    bool is_refused() const { return status > 0; }
};

inline const std::string host_line = "Host: a\r\n";

/// A POST with these fields, and what stands behind its head.
inline std::string post_with(const std::string& fields, const std::string& content = {})
{
    return "POST /rpc HTTP/1.1\r\n" + host_line + "Content-Type: application/json\r\n" + fields + "\r\n" + content;
}
inline std::string post_chunks(const std::string& chunks)
{
    return post_with("Transfer-Encoding: chunked\r\n", chunks);
}

/// One row for each of these texts, by which it is called, with the same outcome. `bytes_of` makes the request.
template <class BytesOf>
void add_rows(std::vector<request_row>& rows, int status, std::initializer_list<std::string> texts, BytesOf bytes_of)
{
    for (const std::string& text : texts)
        rows.push_back({text, bytes_of(text), status});
}

std::vector<request_row> request_line_rows();
std::vector<request_row> target_rows();
std::vector<request_row> host_rows();
std::vector<request_row> field_rows();
std::vector<request_row> length_rows();
std::vector<request_row> coding_rows();
/// Length and coding at once, with a request within the body, which one of two readers would see.
std::vector<request_row> hidden_request_rows();
std::vector<request_row> chunk_rows();
std::vector<request_row> chunk_end_rows();

/// All of them.
std::vector<request_row> all_request_rows();

} // namespace partyline::test
