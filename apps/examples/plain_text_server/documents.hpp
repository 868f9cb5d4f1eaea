#pragma once

#include "document.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace plain_text {

/// A version of a document. It does not change: who has one can go on with it while the editor's user types.
using snapshot = std::shared_ptr<const document>;

/// The documents that the editor has open, by their URI, each in its newest version.
/// What does not fit to what is open throws `std::invalid_argument`, and nothing changes.
class documents {
public:
    /// Takes a document; one that is open already begins anew.
    snapshot open(const std::string& uri, std::int64_t version, std::string text);
    /// Brings it up to date. Its versions rise, not always by one.
    snapshot change(const std::string& uri, std::int64_t version, const std::vector<text_change>& changes);
    void close(const std::string& uri);

    /// The newest version; null when it is not open.
    snapshot find(const std::string& uri) const;

private:
    snapshot& at(const std::string& uri);

    std::map<std::string, snapshot> open_;
};

} // namespace plain_text
