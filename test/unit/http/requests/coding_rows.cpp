#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {
namespace {

const std::string coded_body = "3\r\nabc\r\n0\r\n\r\n";

std::string with_coding(const std::string& value)
{
    return post_with("Transfer-Encoding:" + value + "\r\n", coded_body);
}

std::string with_coding_fields(const std::string& fields)
{
    return post_with(fields + "\r\n", coded_body);
}

void add_right_codings(std::vector<request_row>& rows)
{
    for (const std::string value : {" chunked", "chunked", " Chunked", " CHUNKED", "\tchunked", "  chunked \t "})
        rows.push_back({value, with_coding(value), request_row::fine, "abc"});
    for (const std::string all : {"TRANSFER-ENCODING: chunked", "Transfer-Encoding: chunked\r\nTE: trailers",
                                  "Transfer-Encoding: chunked\r\nConnection: Transfer-Encoding, close",
                                  "Transfer-Encoding: chunked\r\nTransfer_Encoding: gzip"})
        rows.push_back({all, with_coding_fields(all), request_row::fine, "abc"});
    for (const std::string all :
         {"Transfer_Encoding: chunked", "TransferEncoding: chunked", "TE: chunked", "X-Transfer-Encoding: chunked",
          "X: Transfer-Encoding: chunked", "Content-Encoding: chunked", "Transfer-Encodin: chunked"})
        rows.push_back({all, with_coding_fields(all), request_row::fine, {}, coded_body});
}

} // namespace

std::vector<request_row> coding_rows()
{
    std::vector<request_row> rows;
    add_right_codings(rows);
    add_rows(rows, 501,
             {"",
              " ",
              " gzip",
              " identity",
              " compress",
              " deflate",
              " xchunked",
              " chunkedx",
              " chunke",
              " chunked2",
              " chunked;",
              " chunked;q=1",
              " chunked; a=b",
              " chunked,",
              " chunked, ",
              " ,chunked",
              " , chunked",
              " chunked,,",
              " gzip, chunked",
              " gzip,chunked",
              " chunked, gzip",
              " chunked, identity",
              " identity, chunked",
              " chunked, chunked",
              " chunked chunked",
              " chunked\tgzip",
              " \"chunked\"",
              " 'chunked'",
              " (chunked)",
              " [chunked]",
              " chunked (a)",
              " =chunked",
              " chunked=",
              " chunked:",
              " :chunked",
              " c\u00adhunked",
              " chun\u212aed",
              " \u00a0chunked",
              " chunked\u00a0",
              " \u0085chunked",
              " chunked\xff",
              " \ufeffchunked",
              " chunked%00",
              " %63hunked",
              " trailers",
              " 3",
              " *"},
             with_coding);
    add_rows(rows, 400, {" \vchunked",          " chunked\v",         " \fchunked",   " chunked\f",    " \0chunked"s,
                         " chunked\0"s,         " chu\0nked"s,        " chunked\x7f", " \x1f,chunked", " chunked\b",
                         " chunked\r",          " chunked\n",         "\r\n chunked", "\r\n\tchunked", " chunked\r\n ",
                         " chunked\r\n , gzip", " gzip,\r\n chunked", "\n chunked",   " \rchunked",    " chunked\n\r"},
             with_coding);
    add_rows(rows, 400,
             {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
              "Transfer-Encoding: chunked\r\ntransfer-encoding: identity",
              "Transfer-Encoding: chunked\r\nX: y\r\nTransfer-Encoding: gzip",
              "Transfer-Encoding: chunked\r\nTransfer-Encoding:",
              "Transfer-Encoding : chunked",
              "Transfer-Encoding\t: chunked",
              " Transfer-Encoding: chunked",
              "\tTransfer-Encoding: chunked",
              "Transfer Encoding: chunked",
              "Transfer\tEncoding: chunked",
              "Transfer-Encoding",
              "Transfer-Encoding chunked",
              "Transfer-Encoding=chunked",
              "Transfer-Encoding\0: chunked"s,
              "Transfer-Encoding\v: chunked",
              "Transfer-Encoding\u00a0: chunked",
              "\ufeffTransfer-Encoding: chunked",
              "Transfer-Encoding: chunked\r\nTransfer-Encoding : gzip",
              "X: a\nTransfer-Encoding: chunked",
              "X: a\rTransfer-Encoding: chunked",
              "X: a\r\r\nTransfer-Encoding: chunked"},
             with_coding_fields);
    add_rows(rows, 501,
             {"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
              "Transfer-Encoding:\r\nTransfer-Encoding: chunked"},
             with_coding_fields);
    add_rows(rows, 400, {"", "Content-Length: 3\r\n", "Connection: keep-alive\r\n"}, [](const std::string& fields) {
        return "POST / HTTP/1.0\r\n" + fields + "Transfer-Encoding: chunked\r\n\r\n" + coded_body;
    });
    return rows;
}

} // namespace partyline::test
