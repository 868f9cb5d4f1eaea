#include "http/connections/client_request.hpp"

#include "http/wire/request_writer.hpp"

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

response_to kind_of(const client_request& request) noexcept
{
    if (request.method == "HEAD")
        return response_to::head;
    return request.method == "CONNECT" ? response_to::connect : response_to::any;
}

} // namespace partyline::http
