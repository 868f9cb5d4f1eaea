#pragma once

#include "access/file/access_file.hpp"
#include "access/file/node.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace partyline::access {

/// What each entry has that makes a peer of credentials.
named_peer read_peer(const members& from);

/// Notices credentials that stand in two entries: they would be two peers.
template <class Key>
class seen_keys {
public:
    explicit seen_keys(std::string list) : list_(std::move(list)) {}

    void add(const node& at, const Key& key)
    {
        const auto [found, is_new] = seen_.emplace(key, seen_.size());
        if (!is_new)
            at.fail("it is that of " + list_ + '[' + std::to_string(found->second) + "], too");
    }

private:
    const std::string list_;
    std::map<Key, std::size_t> seen_;
};

// Who is who. What is wrong throws `file_error`.

void read_tokens(const node& from, access_file& into);
void read_certificates(const node& from, access_file& into);
void read_users(const node& from, access_file& into);
/// The file of a key is looked for in `folder`, here and below.
void read_signers(const node& from, const std::string& folder, access_file& into);
void read_issuers(const node& from, const std::string& folder, access_file& into);

} // namespace partyline::access
