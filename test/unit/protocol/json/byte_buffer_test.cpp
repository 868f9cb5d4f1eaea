#include <partyline/protocol/byte_buffer.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using partyline::byte_buffer;

BOOST_AUTO_TEST_SUITE(byte_buffer_)

BOOST_AUTO_TEST_CASE(what_is_appended_is_there_in_order)
{
    byte_buffer buffer;
    std::string expected;
    for (int i = 0; i < 5000; ++i) {
        buffer.append(std::to_string(i));
        buffer.push_back(',');
        expected += std::to_string(i) + ',';
    }
    BOOST_TEST(buffer.view() == expected);
}

BOOST_AUTO_TEST_CASE(nothing_can_be_appended_to_nothing)
{
    byte_buffer buffer;
    buffer.append({});
    buffer.erase_front(0);
    BOOST_TEST(buffer.empty());
    BOOST_TEST(buffer.capacity() == 0u);
}

BOOST_AUTO_TEST_CASE(erase_front_keeps_the_rest)
{
    byte_buffer buffer;
    buffer.append("gone and kept");
    buffer.erase_front(9);
    BOOST_TEST(buffer.view() == "kept");
}

BOOST_AUTO_TEST_CASE(truncate_keeps_the_beginning)
{
    byte_buffer buffer;
    buffer.append("kept and gone");
    buffer.truncate(4);
    buffer.append("!");
    BOOST_TEST(buffer.view() == "kept!");
}

BOOST_AUTO_TEST_CASE(clear_gives_large_memory_back_and_keeps_small)
{
    byte_buffer buffer;
    buffer.append(std::string(1000, 'x'));
    const auto capacity = buffer.capacity();
    buffer.clear();
    BOOST_TEST(buffer.capacity() == capacity);
    buffer.append(std::string(1000, 'x'));
    buffer.clear(100);
    BOOST_TEST(buffer.empty());
    BOOST_TEST(buffer.capacity() == 0u);
}

BOOST_AUTO_TEST_CASE(reserve_takes_exactly_what_is_asked_for)
{
    byte_buffer buffer;
    buffer.append("text");
    buffer.reserve(10'000);
    BOOST_TEST(buffer.capacity() == 10'000u);
    buffer.reserve(5);
    BOOST_TEST(buffer.capacity() == 10'000u);
    BOOST_TEST(buffer.view() == "text");
}

BOOST_AUTO_TEST_CASE(moving_takes_the_bytes_along)
{
    byte_buffer from;
    from.append("text");
    byte_buffer to(std::move(from));
    BOOST_TEST(to.view() == "text");
    byte_buffer assigned;
    assigned.append("other");
    assigned = std::move(to);
    BOOST_TEST(assigned.view() == "text");
}

BOOST_AUTO_TEST_SUITE_END()
