#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace call {

/// One of several values that a field may have.
struct form_choice {
    boost::json::value value;
    std::string title; // empty where it has none
};

/// What a form asks for one member of its answer.
struct form_field {
    enum class kind : std::uint8_t { text, integer, number, boolean, choice, choices, json };

    std::string name;
    std::string title;
    std::string description;
    kind type = kind::json;
    bool is_required = false;
    /// What it is where nothing is typed; only what the field may be.
    std::optional<boost::json::value> otherwise;
    std::vector<form_choice> choices;
    std::string format; // of a text: email, uri, date, date-time
    // Of numbers.
    std::optional<double> least;
    std::optional<double> most;
    // Characters of a text, or how many choices.
    std::optional<std::size_t> min_size;
    std::optional<std::size_t> max_size;
};

/// The fields that the schema of a form has, in its order. One of a kind that forms don't have is asked for as JSON;
/// what makes no sense in the schema is left out.
std::vector<form_field> read_form(const boost::json::object& schema);

/// What the user is asked for a field: lines, and behind the last one the answer is typed. Nothing in it commands a
/// terminal.
std::string question_of(const form_field& field);

/// What has been typed for a field.
struct typed_value {
    /// None, and no problem: the member is left out.
    std::optional<boost::json::value> value;
    /// Why it does not fit, in words; empty where it does.
    std::string problem;
};

/// Reads it. Text is taken as it is typed, but for a JSON string in quotation marks.
typed_value read_typed(const form_field& field, std::string_view line);

/// A bound, in words: 5, 1.5.
std::string number_words(double number);

/// Why a value is none that the field may have; empty where it is one.
std::string misfit_of(const form_field& field, const boost::json::value& value);

} // namespace call
