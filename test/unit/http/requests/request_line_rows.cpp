#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {
namespace {

std::string with_line(const std::string& line)
{
    return line + "\r\n" + host_line + "\r\n";
}

// What speaks something else, or ends its lines otherwise.
void add_whole_requests(std::vector<request_row>& rows)
{
    const std::string line = "GET / HTTP/1.1";
    const std::string rest = host_line + "\r\n";
    const auto as_it_is = [](const std::string& whole) { return whole; };
    add_rows(rows, 400,
             {"\n" + line + "\r\n" + rest, "\r" + line + "\r\n" + rest, "\r\n " + line + "\r\n" + rest,
              "\xef\xbb\xbf" + line + "\r\n" + rest, line + "\n" + rest, line + "\r" + rest, line + "\r\r\n" + rest,
              line + "\n\r" + rest, line + "\r\0\n"s + rest, line + "\r\n\r" + rest},
             as_it_is);
    add_rows(rows, 400,
             {"   \r\n\r\n", "\x16\x03\x01\x02"s, "\x80\x2e\x01\x03\x01"s, "{\"jsonrpc\":\"2.0\"}\n",
              "SSH-2.0-OpenSSH_9\r\n", "EHLO example.org\r\n", "HTTP/1.1 200 OK\r\n\r\n", "\0\0\0\0"s,
              "\xff\xfe\x00\x01"s},
             as_it_is);
    rows.push_back({"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505});
    add_rows(rows, request_row::fine, {"\r\n" + line + "\r\n" + rest, "\r\n\r\n" + line + "\r\n" + rest}, as_it_is);
    rows.push_back({"an empty line", "\r\n", request_row::unfinished});
    rows.push_back({"nothing", "", request_row::unfinished});
    rows.push_back({"no end", line + "\r\n" + host_line + "X-Test: value", request_row::unfinished});
}

void add_bytes_of_methods(std::vector<request_row>& rows)
{
    const std::string allowed = "!#$%&'*+-.^_`|~";
    for (int c = 0; c < 256; ++c) {
        const char byte = static_cast<char>(c);
        const bool is_letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool is_right = is_letter_or_digit || allowed.find(byte) != allowed.npos;
        rows.push_back({"byte " + std::to_string(c) + " in a method", with_line("G"s + byte + "T / HTTP/1.1"),
                        is_right ? request_row::fine : 400});
    }
}

} // namespace

std::vector<request_row> request_line_rows()
{
    std::vector<request_row> rows;
    add_rows(rows, request_row::fine,
             {"GET / HTTP/1.1", "GET / HTTP/1.0", "PURGE / HTTP/1.1", "post / HTTP/1.1", "TRACE / HTTP/1.1",
              "X!#$%&'*+-.^_`|~9 / HTTP/1.1", std::string(32, 'M') + " / HTTP/1.1", "OPTIONS * HTTP/1.1"},
             with_line);
    add_rows(rows, 400,
             {" / HTTP/1.1",
              " GET / HTTP/1.1",
              "\tGET / HTTP/1.1",
              "GET  / HTTP/1.1",
              "GET /  HTTP/1.1",
              "GET\t/ HTTP/1.1",
              "GET /\tHTTP/1.1",
              "GET \t/ HTTP/1.1",
              "GET /a b HTTP/1.1",
              "GET / HTTP/1.1 ",
              "GET / HTTP/1.1\t",
              "GET HTTP/1.1",
              "GET  HTTP/1.1",
              "GET",
              "GET ",
              "GET /",
              "GET / ",
              "GET / /",
              "GET\xc2\xa0/ HTTP/1.1",
              "GET /\x0bHTTP/1.1",
              "GET /\x0cHTTP/1.1",
              "GET /\rHTTP/1.1",
              "GET / \r HTTP/1.1",
              "GET /\xc2\x85HTTP/1.1",
              "GET / HTTP/1.1\0"s,
              "GET / HTTP/1.1\x0b"},
             with_line);
    add_rows(rows, 400, {"GET / HTTP/11.1",        "GET / HTTP/1.10", "GET / HTTP/1",     "GET / HTTP/1.",
                         "GET / HTTP/.1",          "GET / HTTP/",     "GET / HTTP",       "GET / HTTP/1,1",
                         "GET / HTTP/1 1",         "GET / HTTP/ 1.1", "GET / HTTP /1.1",  "GET / HTTP/1. 1",
                         "GET / HTTP/+1.1",        "GET / HTTP/-1.1", "GET / HTTP/1.-1",  "GET / HTTP/1.x",
                         "GET / HTTP/x.1",         "GET / http/1.1",  "GET / Http/1.1",   "GET / HTTPS/1.1",
                         "GET / HTTP 1.1",         "GET / HTTP\\1.1", "GET / HTTP/1.1.1", "GET / HTTP/1.1 HTTP/1.1",
                         "GET / HTTP/1.1HTTP/1.1", "GET / ICY/1.1",   "GET / RTSP/1.0",   "GET / HTTP/\xef\xbc\x91.1",
                         "GET / HTTP/1.\xd9\xa1"},
             with_line);
    add_rows(rows, 505,
             {"GET / HTTP/1.2", "GET / HTTP/1.9", "GET / HTTP/0.9", "GET / HTTP/2.0", "GET / HTTP/3.0",
              "GET / HTTP/9.9", "GET / HTTP/2", "GET / HTTP/01.1", "GET / HTTP/00001.1"},
             with_line);
    add_rows(rows, 501,
             {std::string(33, 'M') + " / HTTP/1.1", std::string(20000, 'M') + " / HTTP/1.1",
              std::string(40, 'M') + "\x01/ HTTP/1.1", "CONNECT a:443 HTTP/1.1", "CONNECT / HTTP/1.1"},
             with_line);
    add_whole_requests(rows);
    add_bytes_of_methods(rows);
    return rows;
}

} // namespace partyline::test
