#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

/// The texts among blocks of content as they came, a line each. What else blocks are is passed over.
class content_lines {
public:
    void add(const boost::json::object& block);
    /// A block, or an array of them.
    void add(const boost::json::value& content);

    const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
    bool is_first_ = true;
};

} // namespace partyline::mcp
