#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// A URI template as resource templates have it: of RFC 6570, `{name}` (level 1) and `{+name}` (of level 2).
///
/// `{name}` stands for a part of a URI without "/", "?" and "#"; these may be in its value where the URI has them
/// percent-encoded, except for "/". `{+name}` stands for any part, such as a path. Neither is empty.
///
/// Literals are compared byte by byte. A variable ends where the literal behind it stands for the first time, the last
/// one where the end of the template stands at the end of the URI; there is no second try. So matching costs no more
/// than the length of the URI times that of the template.
///
/// Values are handed out percent-decoded, as UTF-8 without control characters. None has a segment that is `..`, however
/// it was written: but whoever opens files by a value has to check the path that comes of it all the same (`{+path}`
/// may begin with "/", and a file may be a link).
class uri_template {
public:
    struct named_value {
        std::string name;
        std::string value;

        bool operator==(const named_value&) const = default;
    };
    using values = std::vector<named_value>;

    /// Throws `std::invalid_argument`, with the reason and the place, for other expressions of RFC 6570, braces without
    /// their other one, a name that comes twice, two variables with nothing between them, and characters that a URI
    /// has percent-encoded only.
    explicit uri_template(std::string_view text);

    const std::string& text() const noexcept { return text_; }
    /// In the order of the template.
    std::vector<std::string> names() const;

    /// The values in the order of the template; nothing of a URI that is not of this form.
    std::optional<values> match(std::string_view uri) const;

    /// The URI that these values make; what needs it is percent-encoded. Throws `std::invalid_argument` for values that
    /// are missing or unknown, and for such as `match` would not find again in that URI.
    std::string expand(const values& given) const;

private:
    struct variable {
        std::string name;
        bool is_reserved; // of the form `{+name}`
        std::string behind;
    };

    std::string_view read_expression(std::string_view expression);
    void add_literal(std::string_view literal);
    [[noreturn]] void refuse(const std::string& why) const;

    std::string text_;
    std::string front_; // the literal before the first variable
    std::vector<variable> variables_;
};

} // namespace partyline::mcp
