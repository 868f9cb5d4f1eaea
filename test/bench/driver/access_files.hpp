#pragma once

#include "support/access_fixture.hpp"

#include <string>
#include <vector>

namespace bench {

/// What a client authenticates by: nothing, an opaque token, a JWT, or the tokens of two users in turns, one a request.
enum class credentials { none, token, jwt, two_tokens };

/// An access file that knows all of them, and has a rule for the echo. One is made for each run.
class access_files {
public:
    access_files();

    std::string path() const { return files_.path(); }
    /// The values of the field Authorization, in turns.
    std::vector<std::string> authorizations(credentials shown) const;

private:
    partyline::test::access_fixture files_;
    std::string jwt_;
};

} // namespace bench
