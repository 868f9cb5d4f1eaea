#pragma once

#include <iosfwd>
#include <string>

namespace gateway {

/// A call that is to be judged, and its caller.
struct explained_call {
    /// The principal, and behind it the scopes, separated by spaces.
    std::string caller;
    std::string method;
    /// What its params name: a tool, a prompt, a resource's URI. May be empty. Completions and subscriptions are judged
    /// by the prompt or resource that they are for.
    std::string key = {};
    std::string access_file = {};
};

// What is done for those who write access files, without a server. Each returns the exit code, and throws
// `std::exception` with a text for the user.

/// Makes a token for the caller: prints it as the first line, and as the second one its entry for the access file.
/// Throws where the file could not have that.
int make_token_for(const std::string& caller, std::ostream& out);

/// Makes a pair of keys for the caller, who signs by it: prints the private one as the first line, and as the second
/// one the entry of the public one for the access file. Throws where the file could not have that.
int make_key_for(const std::string& caller, std::ostream& out);

/// Prints how the call would be answered, and by which rule. 0: it is allowed; 1: it is not.
int explain(const explained_call& call, std::ostream& out);

/// Reads the file as a server would.
int check_access(const std::string& file, std::ostream& out);

} // namespace gateway
