#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::http {

/// A text as application/x-www-form-urlencoded has it: unreserved characters of RFC 3986 stand for themselves, all
/// others are percent-encoded. A query has it as well.
std::string form_encoded(std::string_view text);

/// A form that is written: "a=1&b=2".
class form_writer {
public:
    form_writer& add(std::string_view name, std::string_view value);
    std::string take() noexcept { return std::move(text_); }

private:
    std::string text_;
};

/// A form that has come, as the query of a request.
class form_fields {
public:
    /// Nothing where a percent escape is none, or where a name comes twice (RFC 6749 §3.1).
    static std::optional<form_fields> read(std::string_view text);

    /// The value of a name; nothing where it is not there.
    std::optional<std::string> find(std::string_view name) const;

private:
    std::vector<std::pair<std::string, std::string>> sorted_;
};

} // namespace partyline::http
