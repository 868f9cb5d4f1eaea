#pragma once

#include "access/digest.hpp"
#include "support/scratch_directory.hpp"

#include <partyline/access/gate.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <string_view>

namespace partyline::access {

using time_point = std::chrono::system_clock::time_point;

/// An access file of a test's own.
class scratch_file {
public:
    explicit scratch_file(std::string_view text) { write(text); }

    void write(std::string_view text) const
    {
        std::ofstream(path(), std::ios::binary) << text;
        std::filesystem::permissions(path(), std::filesystem::perms(0600));
    }
    std::string path() const { return (folder_ / "access.json").string(); }

private:
    test::scratch_directory folder_;
};

/// A gate of a file with this text, and what tests ask of it. The time is the test's.
struct gate_fixture {
    explicit gate_fixture(std::string_view text) : file(text), tested(file.path()) {}

    static std::string bearer(std::string_view token) { return "Bearer " + std::string(token); }
    static std::string sha256(std::string_view token) { return hex_of(*digest_of(token)); }

    authentication show(std::string_view token, const peer_identity& from = {})
    {
        return tested.authenticate(from, bearer(token), now);
    }
    void reload(std::string_view text)
    {
        file.write(text);
        tested.reload();
    }

    scratch_file file;
    gate tested;
    time_point now = std::chrono::sys_days(std::chrono::year(2026) / 11 / 27);
};

} // namespace partyline::access

namespace partyline {

inline std::ostream& boost_test_print_type(std::ostream& out, authentication_outcome outcome)
{
    static constexpr const char* names[] = {"admitted", "missing",        "malformed",   "invalid",
                                            "expired",  "wrong_audience", "unavailable", "throttled"};
    return out << names[static_cast<std::size_t>(outcome)];
}

inline std::ostream& boost_test_print_type(std::ostream& out, access_answer answer)
{
    static constexpr const char* names[] = {"allowed", "hidden", "lacks_scope", "needs_proof"};
    return out << names[static_cast<std::size_t>(answer)];
}

} // namespace partyline
