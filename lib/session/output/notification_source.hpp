#pragma once

#include "session/output/unsent_notifications.hpp"

#include <boost/intrusive/list_hook.hpp>

namespace partyline {

struct incoming_request;

/// A request whose handler has notifications that wait for room. Who offers itself is asked for them when there is
/// some, and takes itself back by going away.
class notification_source
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    virtual const incoming_request& subject() const noexcept = 0;
    /// Takes the first of them; false when there is none.
    virtual bool take_unsent(notification_text& out) = 0;
    /// One has been taken: whoever waits for that may look again.
    virtual void on_unsent_taken() = 0;

protected:
    ~notification_source() = default;
};

} // namespace partyline
