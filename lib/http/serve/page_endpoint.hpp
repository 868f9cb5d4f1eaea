#pragma once

#include "http/serve/endpoint.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::http {

/// A document that is made for each request, answered to GET.
class page_endpoint final : public endpoint {
public:
    page_endpoint(std::string type, std::function<std::string()> make) : type_(std::move(type)), make_(std::move(make))
    {
    }

    std::string_view allowed_methods() const noexcept override { return "GET, HEAD, OPTIONS"; }
    bool allows(std::string_view method) const noexcept override { return method == "GET" || method == "HEAD"; }
    answer serve(request&&, kept_state&, reply_sink&) override
    {
        return response{200, type_, make_(), "Cache-Control: no-store\r\n"};
    }

private:
    const std::string type_;
    const std::function<std::string()> make_;
};

} // namespace partyline::http
