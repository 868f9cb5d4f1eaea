#pragma once

#include "http/wire/request_head.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::test {

/// A head as the reader would have it, of fields alone. The views given to it live longer.
class made_head {
public:
    made_head(std::initializer_list<http::field> fields) : made_head(std::vector<http::field>(fields)) {}
    explicit made_head(std::vector<http::field> fields) : fields_(std::move(fields))
    {
        head_.fields = fields_;
        head_.host = head_.find("host");
    }
    made_head(const made_head&) = delete;
    made_head& operator=(const made_head&) = delete;

    operator const http::request_head&() const noexcept { return head_; }

private:
    std::vector<http::field> fields_;
    http::request_head head_;
};

} // namespace partyline::test
