#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {
namespace {

std::string with_size(const std::string& size)
{
    return post_chunks(size + "\r\nabc\r\n0\r\n\r\n");
}

std::string repeated_chunk(const std::string& chunk, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += chunk;
    return all + "0\r\n\r\n";
}

void add_sizes(std::vector<request_row>& rows)
{
    add_rows(
        rows, 400,
        {"",         " ",       "g",       "xyz",    "0x3", "0X3",   "x3",  "3h",    "3x",    "#3",    "$3",
         "%33",      "\"3\"",   "(3)",     "{3}",    "+3",  "-3",    "-1",  "+0",    "-0",    " 3",    "\t3",
         "3 ",       "3\t",     "3  ",     "3 3",    "3,",  "3,3",   "3.0", "3_0",   "1_0",   "3'",    "3:",
         "3=",       "3/1",     "3\0"s,    "\0003"s, "3\v", "\v3",   "3\f", "3\x7f", "3\x85", "3\xff", "\xef\xbc\x93",
         "\xd9\xa3", "3\u00a0", "\ufeff3", "3\n",    "3\r", "\r\n3", "\n3", "4",     "2",     "1",     "5",
         "3 ;a"},
        with_size);
    add_rows(rows, 400,
             {"00000000000000003", "10000000000000003", "100000000000000003", "8000000000000000", "8000000000000003",
              "fffffffffffffff0", "FFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF0",
              std::string(100, '0') + "3", std::string(100, 'f')},
             with_size);
    add_rows(rows, 413, {"100001", "200000", "7fffffff", "80000000", "ffffffff", "100000003", "7fffffffffffffff"},
             with_size);
    rows.push_back({"too much in all", post_chunks("fffff\r\n" + std::string(0xfffff, 'a') + "\r\n2\r\n"), 413});
}

void add_extensions(std::vector<request_row>& rows)
{
    add_rows(rows, 400,
             {";a",
              "3;",
              "3;;",
              "3;a;",
              "3;;a",
              "3; a",
              "3;\ta",
              "3;a ",
              "3;a =b",
              "3;a= b",
              "3;a=",
              "3;a=;b",
              "3;=b",
              "3;a==b",
              "3;a=b=c",
              "3;a=b c",
              "3;a,b",
              "3;a[=x",
              "3;a@b",
              "3;a/b",
              "3;\"a\"",
              "3;a=\"b",
              "3;a=b\"",
              "3;a=\"b\"c",
              "3;a=\"b\"\"c\"",
              "3;a=\"b\" ",
              "3;a=\"\\\"\"",
              "3;a=\"\\",
              "3;a='b c'",
              "3;a=\xc3\xa4",
              "3;\xc3\xa4",
              "3;a\0"s,
              "3;\0a"s,
              "3;a=\"\0\""s,
              "3;a=\"\x7f\"",
              "3;a\v",
              "3;a\n",
              "3;\n",
              "3;a\rX",
              "3;a\r",
              "3;a=\"b\nc\"",
              "3;a=\"b\r\nc\"",
              "3;a=\"\r\n",
              "3;a\n0",
              "3\n;a",
              "3;" + std::string(300, 'a'),
              "3;a=" + std::string(300, 'a'),
              "3;a=\"" + std::string(20000, 'a') + "\""},
             with_size);
    rows.push_back({"too much in all extensions", post_chunks(repeated_chunk("1;abcdefgh\r\na\r\n", 40)), 400});
}

} // namespace

std::vector<request_row> chunk_rows()
{
    std::vector<request_row> rows;
    for (const std::string size : {"3", "0003", "0000000000000003", "3;a", "3;a=b", "3;a=b;c;d=\"e\"", "3;a=\"\"",
                                   "3;a=\"b; \tc\xc3\xa4\"", "3;!#$%&'*+-.^_`|~=1"})
        rows.push_back({size, with_size(size), request_row::fine, "abc"});
    rows.push_back({"two chunks", post_chunks("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"), request_row::fine, "abc"});
    rows.push_back({"small digits", post_chunks("a\r\n0123456789\r\n0\r\n\r\n"), request_row::fine, "0123456789"});
    rows.push_back({"capital digits", post_chunks("A\r\n0123456789\r\n0\r\n\r\n"), request_row::fine, "0123456789"});
    rows.push_back({"line ends in it", post_chunks("4\r\n\r\n0\r\r\n0\r\n\r\n"), request_row::fine, "\r\n0\r"});
    add_sizes(rows);
    add_extensions(rows);
    return rows;
}

} // namespace partyline::test
