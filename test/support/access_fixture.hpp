#pragma once

#include "support/scratch_directory.hpp"

#include <partyline/access/gate.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace partyline::test {

/// An access file of a test, and tokens for it.
class access_fixture {
public:
    const access::new_token alice = access::make_token();
    const access::new_token bob = access::make_token();

    std::string path() const { return (scratch_ / "access.json").string(); }
    std::string in(std::string_view name) const { return (scratch_ / name).string(); }
    /// Writes the file, which others can't.
    void write(const std::string& text) const
    {
        std::ofstream(path()) << text;
        std::filesystem::permissions(path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
    /// An entry of `tokens`.
    static std::string entry(const access::new_token& of, const std::string& principal, const std::string& scopes = "")
    {
        return R"({"sha256":")" + of.sha256 + R"(","principal":")" + principal + R"(","scopes":[)" + scopes + "]}";
    }
    /// The field of a request, with its end.
    static std::string field(const access::new_token& of) { return "Authorization: Bearer " + of.token + "\r\n"; }

private:
    scratch_directory scratch_;
};

} // namespace partyline::test
