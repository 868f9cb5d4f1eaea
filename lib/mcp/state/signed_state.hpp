#pragma once

#include "mcp/state/cursor.hpp"
#include "mcp/state/request_state.hpp"

#include <memory>
#include <mutex>

namespace partyline::mcp {

/// What a server has signed of what its clients keep for it, by keys that may be replaced while it runs.
///
/// Thread safety: all from any thread.
class signed_state {
public:
    /// Throws as `state_sealer` does.
    signed_state(const state_keys& keys, state_limits limits);

    /// From now on, for states and cursors alike.
    void use(const state_keys& keys);
    std::shared_ptr<const state_sealer> states() const;
    std::shared_ptr<const list_cursors> cursors() const;

private:
    struct signers {
        state_sealer states;
        list_cursors cursors;
    };

    std::shared_ptr<const signers> current() const;

    const state_limits limits_;
    mutable std::mutex mutex_; // of what follows
    std::shared_ptr<const signers> current_;
};

} // namespace partyline::mcp
