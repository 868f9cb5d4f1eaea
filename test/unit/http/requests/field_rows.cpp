#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {
namespace {

std::string with_field(const std::string& line)
{
    return post_with(line + "\r\n");
}

std::string repeated_line(const std::string& line, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += line;
    return all;
}

void add_bytes_of_fields(std::vector<request_row>& rows)
{
    const std::string allowed = "!#$%&'*+-.^_`|~:"; // the colon ends it
    for (int c = 0; c < 256; ++c) {
        const char byte = static_cast<char>(c);
        const std::string name = "byte " + std::to_string(c);
        const bool is_letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool is_right = is_letter_or_digit || allowed.find(byte) != allowed.npos;
        rows.push_back({name + " in a name", with_field("X"s + byte + "Y: a"), is_right ? request_row::fine : 400});
        const bool is_control = (c < 0x20 && c != '\t') || c == 0x7f;
        rows.push_back({name + " in a value", with_field("X: a"s + byte + "b"), is_control ? 400 : request_row::fine});
    }
}

} // namespace

std::vector<request_row> field_rows()
{
    std::vector<request_row> rows;
    add_rows(rows, request_row::fine,
             {"X:",
              "X: ",
              "X:a",
              "X: \t a \t",
              "X: a: b",
              "X:::",
              "X: \xc3\xa4",
              "X: \xff\x80",
              "X: \"a",
              "X: a, b,,",
              "X: a\r\nX: b",
              "0: a",
              "!: a",
              "X: " + std::string(8000, ' ') + "a",
              "Expect: 100-continue",
              "Expect: 200-ok",
              "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
              "Connection: close, Content-Length",
              "Connection: ,,",
              "Connection:",
              "Keep-Alive: timeout=5",
              "Proxy-Connection: keep-alive, x",
              "TE: trailers, chunked",
              "Trailer: Content-Length",
              "Content-Encoding: chunked",
              "X-HTTP-Method-Override: GET",
              "X: GET / HTTP/1.1"},
             with_field);
    add_rows(rows, 400,
             {"X: a\r\n b",
              "X: a\r\n\tb",
              "X: a\r\n ",
              "X:\r\n a",
              "X: a\r\n \r\n b",
              " X: a",
              "\tX: a",
              " ",
              "X : a",
              "X\t: a",
              "X",
              "X a",
              "X=a",
              ": a",
              ":",
              " : a",
              "X Y: a",
              "X\tY: a",
              "X[]: a",
              "X(a): b",
              "\"X\": a",
              "X/: a",
              "X@: a",
              "X,Y: a",
              "X;Y: a",
              "\xc3\xa4: a",
              "X\xc2\xa0: a",
              "X\0: a"s,
              "X: a\0b"s,
              "X: \0"s,
              "X: a\x07\x08",
              "X: \x1b[0m",
              "X: a\x7f",
              "X: a\nY: b",
              "X: a\n",
              "\nX: a",
              "X\n: a",
              "X:\n a",
              "X: a\n\nY: b",
              "X: a\rY: b",
              "X: a\r",
              "X: a\r\r",
              "\rX: a",
              "X\r: a",
              "X:\r a",
              "X: a\n\rY: b",
              "Connection: c\"id\":1,",
              "Connection: close;q=1",
              "Connection: a b",
              "Connection: (a)",
              "Proxy-Connection: c\"x"},
             with_field);
    add_rows(rows, 431,
             {std::string(20000, 'a'), "X: " + std::string(20000, 'a'), std::string(20000, 'X') + ": a",
              "X:" + std::string(20000, ' ')},
             with_field);
    const std::string begin = "GET / HTTP/1.1\r\n";
    rows.push_back({"a hundred fields", begin + host_line + repeated_line("X: a\r\n", 99) + "\r\n"});
    rows.push_back({"one more", begin + host_line + repeated_line("X: a\r\n", 100) + "\r\n", 431});
    rows.push_back({"fields without end", begin + repeated_line("X: a\r\n", 5000), 431});
    rows.push_back({"a blank in front of all", begin + " \r\n" + host_line + "\r\n", 400});
    rows.push_back({"a fold in front of all", begin + " X: a\r\n" + host_line + "\r\n", 400});
    rows.push_back({"a bare LF at the end", begin + host_line + "\n", 400});
    rows.push_back({"a bare CR at the end", begin + host_line + "\rX", 400});
    rows.push_back({"two CRs at the end", begin + host_line + "\r\r\n", 400});
    rows.push_back({"NUL at the end", begin + host_line + "\0\r\n"s, 400});
    add_bytes_of_fields(rows);
    return rows;
}

} // namespace partyline::test
