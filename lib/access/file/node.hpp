#pragma once

#include "access/file/place.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::access {

/// One value of the access file, at its place. What is not of the kind that is wanted throws `file_error`.
struct node {
    const boost::json::value& value;
    const place& where;

    [[noreturn]] void fail(const std::string& reason) const { throw file_error(where, reason); }

    /// A string that is not empty.
    std::string text() const;
    bool flag() const;
    std::uint64_t whole_number(std::uint64_t least, std::uint64_t most) const;
    double positive_number(double most) const;

    /// The elements of an array.
    template <class Visit>
    void each(Visit visit) const
    {
        if (!value.is_array())
            fail("an array is expected");
        std::size_t index = 0;
        for (const boost::json::value& one : value.get_array()) {
            const place element(where, index++);
            visit(node{one, element});
        }
    }
};

/// The members of one object of the access file: `known` ones and comments.
class members {
public:
    /// Throws where there is a member that is not known.
    members(const node& object, std::initializer_list<std::string_view> known);

    bool has(std::string_view name) const noexcept { return object_->contains(name); }

    /// Reads a member by `read(node)`, where it is there; the result of which is not looked at.
    template <class Read>
    void read(std::string_view name, Read read) const
    {
        if (const boost::json::value* const found = object_->if_contains(name)) {
            const place member(where_, name);
            read(node{*found, member});
        }
    }

    /// The same of one that must be there.
    template <class Read>
    void require(std::string_view name, Read reading) const
    {
        if (!has(name))
            throw file_error(where_, std::string(name) + " is missing");
        read(name, reading);
    }

    const place& where() const noexcept { return where_; }

private:
    const place& where_;
    const boost::json::object* object_;
};

} // namespace partyline::access
