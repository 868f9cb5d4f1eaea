#pragma once

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// The members of a document of JSON that another server has sent, or a store has kept. What is of another type than is
/// asked for counts as if it were not there.
class json_document {
public:
    /// Nothing where the text is no JSON object that can be read safely.
    static std::optional<json_document> read(std::string text);

    /// A string; empty where there is none.
    std::string text(std::string_view name) const;
    /// The strings of an array.
    std::optional<std::vector<std::string>> texts(std::string_view name) const;
    bool is_true(std::string_view name) const;
    /// A number of seconds: an integer, or one in a string, as some servers have it.
    std::optional<std::int64_t> seconds(std::string_view name) const;

private:
    explicit json_document(boost::json::object members) : members_(std::move(members)) {}

    boost::json::object members_;
};

} // namespace partyline::http
