#pragma once

#include "gateway/relay.hpp"
#include "gateway/upstream.hpp"
#include "support/dialogue.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A dialogue with a client's session that a relay serves, in front of a server that answers as the test says.
class relay_dialogue : public dialogue {
public:
    ~relay_dialogue();

    /// Of the server and the relay; begins them.
    void relay_to_server(gateway::protocol speaks, bool is_shared = false, bool is_told_peers = false);
    /// The session has another view from here on.
    void use(std::shared_ptr<const access_view> view);
    /// What the client is answered, with the id 1.
    std::string answer(std::string_view method, std::string_view params);
    /// The server tells its client.
    void tell(std::string method, std::string_view params);

    /// What the server answers, by method; "null" to others.
    std::map<std::string, std::string, std::less<>> results;
    /// Whether it answers at all.
    bool is_answering = true;
    /// What has come to the server: methods, and their params.
    std::vector<std::string> arrived;

private:
    class server_in_memory;

    gate unanswered_{context};
    gateway::running_servers running_;
    std::shared_ptr<server_in_memory> server_;
    std::shared_ptr<gateway::upstream> upstream_;
};

} // namespace partyline::test
