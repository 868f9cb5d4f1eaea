#pragma once

#include "protocol/framing/envelope_skimmer.hpp"
#include "protocol/json/scanner.hpp"
#include "protocol/message/envelope_reader.hpp"
#include "protocol/message/id_reader.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

/// What a `message_reader` does, and what it needs for that.
class message_parser {
public:
    message_parser(const limits& bounds, message_reader::params_hint* ahead)
        : bounds_(bounds), envelope_(bounds, scan_, ahead), skim_(bounds.id_bytes)
    {
    }

    const message& read(std::string_view text);
    const std::vector<std::string_view>& elements() const noexcept { return elements_; }
    const message& read_element(std::string_view element);

    /// Empty where there is none.
    found_id find_id(std::string_view object, std::string_view name);
    std::string_view find_member(std::string_view object, std::string_view name);
    std::string_view find_param(std::string_view name);

    void expect(std::string_view object);
    void drop_value() noexcept { envelope_.drop_value(); }

private:
    void release_memory() noexcept;
    const message& read_object(std::string_view text, const char* p);
    const message& read_batch(std::string_view text, const char* p);
    const message& read_other(std::string_view text, const char* p);
    std::size_t collect_elements(const char* p);
    const message& refuse(std::string_view text);
    const message& refuse(defect problem);
    const message& skim_too_deep(std::string_view text);

    limits bounds_;
    scanner scan_;
    envelope_reader envelope_;
    envelope_skimmer skim_;
    message out_;
    std::vector<std::string_view> elements_;
    std::string skimmed_key_;
    std::string found_key_; // apart from the message's own, which stay valid while one looks into its params
    std::string found_name_;
    std::string expected_;
    bool is_large_ = false; // the last message was, and so may be what it left here
};

} // namespace partyline
