#pragma once

#include "tls/context/identity.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::tls {

/// The identities of one server by the host names that they are for.
///
/// Several may have the same name, with keys of different types: the client's choice of algorithms decides between
/// them.
class identity_table {
public:
    void add(identity entry);

    /// Those for a name that a client asks for, in any case: by the name itself, else by the wildcard for it; empty
    /// when there is none.
    const std::vector<std::size_t>& find(std::string_view name) const noexcept;
    const identity& at(std::size_t index) const noexcept { return entries_[index]; }

private:
    using index_list = std::vector<std::size_t>;

    std::vector<identity> entries_;
    std::map<std::string, index_list, std::less<>> by_name_;
    index_list none_;
};

} // namespace partyline::tls
