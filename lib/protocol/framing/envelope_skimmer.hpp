#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline {

/// Finds what has to be known of a message that can't be read, since it is too long, too deep or no JSON: its top-level
/// id, wherever that stands, and whether it looks like a response; of an array, the id of the first element that looks
/// like one. Checks nothing else. Memory: the longest id, twice, whatever it is fed.
///
/// Flow: `reset()`, `feed()` the message in pieces of any size, `finish()`, then ask.
class envelope_skimmer {
public:
    explicit envelope_skimmer(std::size_t max_id_bytes) : max_id_bytes_(max_id_bytes) {}

    void reset();
    void feed(std::string_view piece);
    void finish();

    /// The exact text of the id; empty when there is none, several, or none that a request can have.
    const std::string& id() const noexcept { return found_; }
    /// Of an array: an element does, and none has a method.
    bool looks_like_response() const noexcept { return is_response(seen_in_all_); }
    bool is_array() const noexcept { return is_array_; }
    /// Bytes fed, and the deepest nesting in them.
    std::size_t size() const noexcept { return size_; }
    std::size_t depth() const noexcept { return max_depth_; }
    bool is_blank() const noexcept { return state_ == state::before; }

private:
    enum class state : std::uint8_t {
        before,      // nothing but white space yet
        name_wait,   // between the members of the top-level object
        name,        // in the name of one
        name_escape, // behind a backslash there
        name_hex,    // in the four digits of \u
        colon_wait,
        value_wait,
        id_string,
        id_escape,
        id_scalar,
        rest, // in whatever else: only nesting and strings count
        rest_string,
        rest_escape,
    };
    enum member : unsigned { none = 0, method = 1, result = 2, error = 4 };

    void step(char c);
    void begin(char c);
    void begin_name();
    void take_name(char c);
    void take_name_hex(char c);
    void append_to_name(char c);
    void end_name();
    void begin_value(char c);
    void begin_id(char c);
    void take_id(char c, state next);
    void take_id_scalar(char c);
    void begin_rest(char c);
    void take_rest(char c);
    void open(char c);
    void close();
    void begin_members() noexcept;
    void end_members();
    bool is_at_members() const noexcept { return is_in_object_ && depth_ == (is_array_ ? 2 : 1); }
    static bool is_response(unsigned seen) noexcept { return (seen & (result | error)) != 0 && (seen & method) == 0; }
    void check_id();

    const std::size_t max_id_bytes_;
    std::string id_;    // of the object whose members are read
    std::string found_; // what is told
    std::size_t size_ = 0;
    std::size_t depth_ = 0;
    std::size_t max_depth_ = 0;
    char name_[8]; // decoded; the names that matter are shorter
    unsigned name_size_ = 0;
    unsigned hex_ = 0;
    unsigned hex_digits_ = 0;
    unsigned seen_ = none; // of the members that matter, in the object
    unsigned seen_in_all_ = none;
    unsigned ids_ = 0;
    bool is_in_object_ = false; // the message, or an element of it; the members of nothing else matter
    bool is_array_ = false;
    bool is_id_ = false;     // the name just read is "id"
    bool is_usable_ = false; // the id met so far
    state state_ = state::before;
};

} // namespace partyline
