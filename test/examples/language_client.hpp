#pragma once

#include "support/foreign_client.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// An editor that has started the example language server and has documents open there.
class language_client : public foreign_client {
public:
    language_client();

    /// The errors that it has answered, by id, also to calls that did not wait for them any more.
    std::map<std::string, boost::json::value, std::less<>> errors;

    /// Goes through the handshake, with what is given as params besides the usual ones. Returns the result.
    boost::json::object initialize(boost::json::object params = {});

    void open(std::string_view uri, std::string_view text, std::int64_t version = 1);
    void change(std::string_view uri, std::int64_t version, boost::json::array changes);
    void close(std::string_view uri);
    /// Starts a request about a place in a document.
    pending ask_hover(std::string_view uri, std::uint32_t line, std::uint32_t character,
                      boost::asio::cancellation_slot slot = {});
    pending ask_symbols(std::string_view uri);

    /// The diagnostics of that version, which must come: each as "1:2-1:5 repeated-word".
    std::vector<std::string> findings(std::string_view uri, std::int64_t version);
    /// The versions that diagnostics of the document have come for so far; 0 where they name none.
    std::vector<std::int64_t> published_versions(std::string_view uri) const;
    /// Until diagnostics have come so often in all.
    void wait_published(std::size_t times);

    /// Its exit status, once it has ended, which it must.
    int wait_exit();
    /// Ends it as an editor does. Returns its exit status.
    int end();
};

/// The text of a hover, "null" when there is none.
std::string hover_text(const boost::json::value& hover);

/// A change that replaces this place.
boost::json::object replacement(std::uint32_t line, std::uint32_t begin, std::uint32_t end, std::string_view text);
/// A change that replaces the whole text.
boost::json::object new_text(std::string_view text);

} // namespace partyline::test
