#include <partyline/protocol/message.hpp>

#include "protocol/message/message_parser.hpp"

namespace partyline {

struct message_reader::state {
    message_parser parser;
};

message_reader::message_reader(const limits& bounds, params_hint* ahead)
    : state_(new state{message_parser(bounds, ahead)})
{
}
message_reader::~message_reader() = default;
message_reader::message_reader(message_reader&&) noexcept = default;
message_reader& message_reader::operator=(message_reader&&) noexcept = default;

const message& message_reader::read(std::string_view text)
{
    return state_->parser.read(text);
}

const std::vector<std::string_view>& message_reader::elements() const noexcept
{
    return state_->parser.elements();
}

const message& message_reader::read_element(std::string_view element)
{
    return state_->parser.read_element(element);
}

bool message_reader::find_id(json_view object, std::string_view name, std::string_view& text, std::string_view& key)
{
    const found_id id = state_->parser.find_id(object.text(), name);
    if (id.text.empty())
        return false;
    text = id.text;
    key = id.key;
    return true;
}

json_view message_reader::find_member(json_view object, std::string_view name)
{
    return json_view::checked(state_->parser.find_member(object.text(), name));
}

json_view message_reader::find_param(std::string_view name)
{
    return json_view::checked(state_->parser.find_param(name));
}

void message_reader::expect(json_view object)
{
    state_->parser.expect(object.text());
}

void message_reader::drop_value() noexcept
{
    state_->parser.drop_value();
}

} // namespace partyline
