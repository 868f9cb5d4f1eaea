#pragma once

#include <stdexcept>

namespace wire_client {

/// Why a run can't be believed, in words for the user.
class failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace wire_client
