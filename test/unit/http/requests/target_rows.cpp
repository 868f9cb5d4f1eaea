#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {
namespace {

std::string with_target(const std::string& target)
{
    return "GET " + target + " HTTP/1.1\r\n" + host_line + "\r\n";
}

void add_bytes_of_targets(std::vector<request_row>& rows)
{
    const std::string allowed = "-._~:/?[]@!$&'()*+,;=%";
    for (int c = 0; c < 256; ++c) {
        const char byte = static_cast<char>(c);
        const bool is_letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool is_right = is_letter_or_digit || allowed.find(byte) != allowed.npos;
        rows.push_back({"byte " + std::to_string(c) + " in a target", with_target("/"s + byte + "x"),
                        is_right ? request_row::fine : 400});
    }
}

} // namespace

std::vector<request_row> target_rows()
{
    std::vector<request_row> rows;
    add_rows(rows, request_row::fine,
             {"/rpc?a=b&c", "//a", "/?", "/??", "/a/../b", "/./a", "/%00", "/%0d%0aX:%20y", "/%zz", "/%", "/[a]", "/*",
              "/" + std::string(8191, 'a'), "http://a/rpc", "HTTP://a/", "hTtP://a/?b", "http://a", "http://a?b",
              "http://a//"},
             with_target);
    add_rows(rows, 400,
             {"rpc",  "?a", "*",  "**",        "*?a",       "/#a",   "#", "/\\a", "\\",  "/\"a", "/<a>", "/{a}",
              "/a|b", "/^", "/`", "/\xc3\xa4", "/\xc0\xaf", "a:443", "a", "%2f",  "./a", ":",    "@a/"},
             with_target);
    add_rows(rows, 400, {"http://b/",     "http://a:1/",  "http://a:80/", "http://aa/",  "http://a.b/", "http://u@a/",
                         "http://u:p@a/", "http:///x",    "http://",      "http:/a",     "http:a",      "http:",
                         "http://?a",     "http://a:b/",  "http://a:/",   "http://a,b/", "http://[a]/", "http://[::1]/",
                         "http://[a/",    "http://a%62/", "http://a\\b/", "http://a#b",  "http://a@b/", "http://b@a/",
                         "https://a/",    "ftp://a/",     "ws://a/",      "file:///a",   "httpx://a/",  "http//a/",
                         "xhttp://a/",    "http://a:1:2/"},
             with_target);
    add_rows(rows, 414, {"/" + std::string(8192, 'a'), "/" + std::string(20000, 'a')}, with_target);
    rows.push_back({"a star for POST", "POST * HTTP/1.1\r\n" + host_line + "\r\n", 400});
    rows.push_back({"two stars for OPTIONS", "OPTIONS ** HTTP/1.1\r\n" + host_line + "\r\n", 400});
    rows.push_back({"a host for OPTIONS", "OPTIONS http://a HTTP/1.1\r\n" + host_line + "\r\n"});
    rows.push_back({"an absolute target alone", "GET http://a/ HTTP/1.1\r\n\r\n", 400});
    rows.push_back({"an absolute target alone in HTTP/1.0", "GET http://a/ HTTP/1.0\r\n\r\n"});
    add_bytes_of_targets(rows);
    return rows;
}

} // namespace partyline::test
