#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {

std::vector<request_row> host_rows()
{
    const auto with_fields = [](const std::string& fields) { return "GET / HTTP/1.1\r\n" + fields + "\r\n\r\n"; };
    const auto with_host = [&](const std::string& host) { return with_fields("Host:" + host); };
    std::vector<request_row> rows;
    add_rows(rows, request_row::fine,
             {"a", " a", "\ta\t", "  a  ", " A", " a:80", " a:", " a.b.", " a-b_c~d", " 127.0.0.1:8080", " [::1]:80",
              " [::1]", " [v1.a]", " 0", " xn--a", " ..."},
             with_host);
    add_rows(rows, 400, {"",          " ",         " :",
                         " :80",      " a:b",      " a:-1",
                         " a:+1",     " a:1:2",    " a::",
                         " a:123456", " a: 80",    " a :80",
                         " [",        " ]",        " []",
                         " [::1",     " ::1",      " [::1]a",
                         " [::1]:b",  " [[::1]]",  " a[b]",
                         " [::1]]",   " u@a",      " u:p@a",
                         " @a",       " a@",       " a/b",
                         " a/",       " /",        " a?b",
                         " a#b",      " a b",      " a\tb",
                         " a, b",     " a,b",      " a,",
                         " a;b",      " a%20",     " a%00",
                         " \"a\"",    " a\\b",     " (a)",
                         " <a>",      " http://a", " a*",
                         " *",        " a=b",      " a&b",
                         " a|b",      " \xc3\xa4", " a\xe2\x80\xa8",
                         " a\0"s,     " a\x0b",    " a\x7f",
                         " a\x1f"},
             with_host);
    add_rows(rows, 400,
             {"X: y",
              "Host: a\r\nHost: b",
              "Host: a\r\nHost: a",
              "Host: a\r\nhOST: a",
              "Host: a\r\nX: y\r\nHost:",
              "Host:\r\nHost: a",
              "Host : a",
              "Host\t: a",
              " Host: a",
              "Host: a\r\n b",
              "Host:\r\n a",
              "Host: a\nHost: b",
              "Host: a\rHost: b",
              "Hos\xc5\xbf: a",
              "X-Host: a",
              "Host_: a",
              "H\0st: a"s,
              "Host",
              "Host a",
              "Host=a"},
             with_fields);
    rows.push_back({"none", "GET / HTTP/1.1\r\n\r\n", 400});
    rows.push_back({"none in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"});
    rows.push_back({"an empty one in HTTP/1.0", "GET / HTTP/1.0\r\nHost:\r\n\r\n", 400});
    rows.push_back({"two in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400});
    return rows;
}

} // namespace partyline::test
