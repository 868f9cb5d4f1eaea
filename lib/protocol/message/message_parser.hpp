#pragma once

#include "protocol/framing/envelope_skimmer.hpp"
#include "protocol/json/scanner.hpp"
#include "protocol/message/envelope_reader.hpp"
#include "protocol/message/id_reader.hpp"

#include <partyline/protocol/message.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

/// What a `message_reader` does, and the room that it needs for that. It serves one reader after the other.
///
/// Flow: `serve()` one, which then reads; `forget()` before another one.
class message_parser {
public:
    /// What readers differ in.
    struct terms {
        std::size_t depth;
        std::size_t id_bytes;
        std::size_t batch_elements;
        message_reader::params_hint* ahead;
        lone_surrogates halves;
    };

    /// `expected` lives as long as it is expected.
    void serve(const terms& of, std::string_view expected) noexcept;
    /// Lets go of what was read, values that were built among it.
    void forget() noexcept;
    /// Whether what it has read left little here.
    bool is_small() const noexcept { return is_small_; }

    const message& read(std::string_view text);
    const std::vector<std::string_view>& elements() const noexcept { return elements_; }
    const message& read_element(std::string_view element);

    /// Empty where there is none.
    found_id find_id(std::string_view object, std::string_view name);
    std::string_view find_member(std::string_view object, std::string_view name);
    std::string_view find_param(std::string_view name);

    /// Whether an object is worth to be expected.
    bool is_likely(std::string_view object);
    void expect(std::string_view object) noexcept { scan_.expect(object); }

private:
    void release_memory() noexcept;
    const message& read_object(std::string_view text, const char* p);
    const message& read_batch(std::string_view text, const char* p);
    const message& read_other(std::string_view text, const char* p);
    std::size_t collect_elements(const char* p);
    const message& refuse(std::string_view text);
    const message& refuse(defect problem);
    void note_response(std::string_view text);
    void read_skimmed_id();

    terms terms_{};
    scanner scan_;
    envelope_reader envelope_{scan_};
    std::optional<envelope_skimmer> skim_;
    message out_;
    std::vector<std::string_view> elements_;
    std::string skimmed_key_;
    std::string found_key_; // apart from the message's own, which stay valid while one looks into its params
    std::string found_name_;
    bool is_large_ = false; // the last message was, and so may be what it left here
    bool is_small_ = true;  // all were
};

} // namespace partyline
