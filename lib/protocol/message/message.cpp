#include <partyline/protocol/message.hpp>

#include "protocol/message/message_parser.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace partyline {
namespace {

/// Parsers that the readers of this thread use by turns: a thousand idle sessions would each keep one, of 4 KiB.
struct spare_parsers {
    std::array<std::unique_ptr<message_parser>, 4> kept;
    std::size_t count = 0;
};

spare_parsers& spare_parsers_of_this_thread() noexcept
{
    thread_local spare_parsers all;
    return all;
}

std::unique_ptr<message_parser> take_spare_parser()
{
    spare_parsers& all = spare_parsers_of_this_thread();
    return all.count == 0 ? std::make_unique<message_parser>() : std::move(all.kept[--all.count]);
}

void keep_spare_parser(std::unique_ptr<message_parser> one) noexcept
{
    spare_parsers& all = spare_parsers_of_this_thread();
    if (!one->is_small() || all.count == all.kept.size())
        return;
    one->forget();
    all.kept[all.count++] = std::move(one);
}

} // namespace

struct message_reader::state {
    message_parser& work()
    {
        if (!parser) [[unlikely]]
            take_parser();
        return *parser;
    }
    // Not where each message comes by.
    [[gnu::noinline]] void take_parser()
    {
        parser = take_spare_parser();
        parser->serve(terms, expected);
    }

    message_parser::terms terms;
    std::string expected;
    std::unique_ptr<message_parser> parser; // while a message is read
};

message_reader::message_reader(const limits& bounds, params_hint* ahead, lone_surrogates halves)
    : state_(new state{{bounds.depth, bounds.id_bytes, bounds.batch_elements, ahead, halves}, {}, {}})
{
}
message_reader::~message_reader() = default;
message_reader::message_reader(message_reader&&) noexcept = default;
message_reader& message_reader::operator=(message_reader&&) noexcept = default;

const message& message_reader::read(std::string_view text)
{
    return state_->work().read(text);
}

const std::vector<std::string_view>& message_reader::elements() const noexcept
{
    static const std::vector<std::string_view> none;
    return state_->parser ? state_->parser->elements() : none;
}

const message& message_reader::read_element(std::string_view element)
{
    return state_->work().read_element(element);
}

bool message_reader::find_id(json_view object, std::string_view name, std::string_view& text, std::string_view& key)
{
    const found_id id = state_->work().find_id(object.text(), name);
    if (id.text.empty())
        return false;
    text = id.text;
    key = id.key;
    return true;
}

json_view message_reader::find_member(json_view object, std::string_view name)
{
    return json_view::checked(state_->work().find_member(object.text(), name));
}

json_view message_reader::find_param(std::string_view name)
{
    return json_view::checked(state_->work().find_param(name));
}

void message_reader::expect(json_view object)
{
    message_parser& parser = state_->work();
    parser.expect({});
    state_->expected = parser.is_likely(object.text()) ? object.text() : std::string_view();
    parser.expect(state_->expected);
}

void message_reader::release_memory() noexcept
{
    if (state_->parser)
        keep_spare_parser(std::move(state_->parser));
}

} // namespace partyline
