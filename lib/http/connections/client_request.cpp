#include "http/connections/client_request.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/request_writer.hpp"

#include <algorithm>
#include <utility>

namespace partyline::http {

std::string text_of(const client_request& request)
{
    std::vector<field> fields;
    fields.reserve(request.fields.size());
    for (const field_text& one : request.fields)
        fields.push_back({one.name, one.value});
    request_start start{request.method, request.target, request.host, std::nullopt, fields};
    if (request.body)
        start.length = request.body->size();
    std::string text;
    append_request_head(text, start);
    if (request.body)
        text += *request.body; // in one write with the head
    return text;
}

shown_secrets secrets_of(const std::vector<field_text>& fields)
{
    std::vector<std::string> all;
    for (const field_text& one : fields) {
        const std::string name = lower_case(one.name);
        const std::size_t scheme_end = std::min(one.value.find(' '), one.value.size());
        const std::size_t begin = std::min(one.value.find_first_not_of(' ', scheme_end), one.value.size());
        if (name == "authorization")
            all.push_back(one.value.substr(begin == one.value.size() ? 0 : begin));
        else if (name == "cookie")
            all.push_back(one.value);
    }
    return all.empty() ? nullptr : std::make_shared<const std::vector<std::string>>(std::move(all));
}

response_to kind_of(const client_request& request) noexcept
{
    if (request.method == "HEAD")
        return response_to::head;
    return request.method == "CONNECT" ? response_to::connect : response_to::any;
}

} // namespace partyline::http
