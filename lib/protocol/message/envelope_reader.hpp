#pragma once

#include "protocol/json/scanner.hpp"
#include "protocol/json/value_builder.hpp"
#include "protocol/message/member_list.hpp"

#include <partyline/protocol/message.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline {

/// Takes one request, notification or response apart in a single pass (JSON-RPC 2.0 §4 and §5).
class envelope_reader {
public:
    explicit envelope_reader(scanner& scan) noexcept : scan_(scan) {}

    /// Reads so from here on: with arrays and objects no deeper than that, ids no longer, and a hint where there is
    /// one.
    void serve(std::size_t depth, std::size_t id_bytes, message_reader::params_hint* ahead) noexcept;

    /// Whether halves of surrogate pairs become U+FFFD in params and outcomes.
    void replace_half_pairs(bool replaces) noexcept
    {
        replaces_ = replaces;
        builder_.replace_half_pairs(replaces);
    }

    /// Reads the object at `p`, to the end of the text that the scanner was started on. False when that is no JSON or
    /// nested too deep: the scanner knows which, and `out` holds nothing then.
    bool read(const char* p, message& out);

    /// What the params have that were read: looked for now, and in messages to come while they are checked.
    const member_list& list_of(std::string_view params, std::string& memory);

    /// Lets go of a value that nobody has asked for.
    void drop_value() noexcept { builder_.drop(); }
    /// Gives back what names and ids with escapes took, and what was replaced.
    void release_memory() noexcept
    {
        name_ = std::string();
        method_ = std::string();
        id_key_ = std::string();
        replaced_ = std::string();
    }

private:
    enum class member : std::uint8_t {
        other = 0,
        jsonrpc = 1,
        id = 2,
        method = 4,
        params = 8,
        result = 16,
        error = 32
    };

    static member member_of(std::string_view name) noexcept;
    bool has(member which) const noexcept { return (seen_ & static_cast<unsigned>(which)) != 0; }

    const char* skip_usual_begin(const char* p) noexcept;
    const char* read_members(const char* p);
    const char* read_member(const char* p);
    const char* read_name(const char* p, member& which);
    const char* skip_known_name(const char* p, member& which) const noexcept;
    const char* read_duplicate(const char* p, member which);
    const char* read_version(const char* p);
    const char* read_id_member(const char* p);
    const char* read_method(const char* p);
    const char* read_params(const char* p);
    bool is_value_wanted(const char* p);
    const char* build_params(const char* p);
    const char* list_params(const char* p);
    const char* read_outcome(const char* p, member which);
    void classify();
    void replace_half_pairs();
    bool replace_half_pairs(json_view& in, value_builder* built);
    void check_call();
    void check_response();
    void note(const char* reason);
    void note(const defect& problem);

    scanner& scan_;
    std::size_t max_id_bytes_ = 0;
    std::size_t room_ = 0; // levels left inside the envelope's own object
    message_reader::params_hint* ahead_ = nullptr;
    value_builder builder_; // of the params
    member_list listed_;    // in them
    bool lists_params_ = false;
    bool replaces_ = false;
    message* out_ = nullptr;
    unsigned seen_ = 0;
    std::string name_; // these three hold what had escapes
    std::string method_;
    std::string id_key_;
    std::string replaced_; // the params or the outcome, where these are not as they came
};

} // namespace partyline
