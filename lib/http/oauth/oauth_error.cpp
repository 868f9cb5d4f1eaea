#include "http/oauth/oauth_error.hpp"

#include <partyline/protocol/printable.hpp>

#include <cstddef>

namespace partyline::http {

oauth_error read_oauth_error(int status, const std::optional<json_document>& document)
{
    oauth_error read;
    read.status = status;
    if (document) {
        read.code = document->text("error");
        read.description = document->text("error_description");
    }
    return read;
}

std::string words_of(const oauth_error& error)
{
    constexpr std::size_t longest = 300;
    if (error.code.empty())
        return "HTTP status " + std::to_string(error.status) + ", and no reason in the form of OAuth";
    std::string words = printable(error.code, longest);
    if (!error.description.empty())
        words += ": " + printable(error.description, longest);
    return words;
}

} // namespace partyline::http
