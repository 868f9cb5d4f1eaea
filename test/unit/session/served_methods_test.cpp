#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace asio = boost::asio;
using namespace partyline;

namespace {

method_table table_with(const std::string& name)
{
    method_table made;
    made.add(name, [] { return 1; });
    return made;
}

std::shared_ptr<const method_table> shared_table_with(const std::string& name)
{
    return std::make_shared<const method_table>(table_with(name));
}

/// What a session that begins is served by.
struct begun {
    explicit begun(const served_methods& methods) : is(methods.for_session(context.get_executor(), options)) {}

    asio::io_context context;
    session_options options;
    std::shared_ptr<const dispatcher> is;
};

bool has(const served_methods& methods, const std::string& name)
{
    return begun(methods).is->find(name) != nullptr;
}

struct own_dispatcher final : dispatcher {
    const method* find(std::string_view) const noexcept override { return nullptr; }
};

template <class T>
concept is_served = std::convertible_to<T, served_methods>;

static_assert(is_served<method_table> && is_served<own_dispatcher>);
static_assert(is_served<std::shared_ptr<method_table>> && is_served<std::shared_ptr<const dispatcher>>);
static_assert(is_served<std::unique_ptr<method_table>>);
static_assert(!std::is_default_constructible_v<served_methods>); // braces are options
static_assert(!is_served<session_options> && !is_served<std::string> && !is_served<method_table*>);
static_assert(!is_served<int (*)(session_options&)> && !is_served<method_table (*)()>);
static_assert(std::copyable<served_methods> && std::is_nothrow_move_constructible_v<served_methods>);

} // namespace

BOOST_AUTO_TEST_SUITE(served_methods_suite)

BOOST_AUTO_TEST_CASE(a_table_is_moved_in)
{
    const served_methods methods = table_with("a");
    BOOST_TEST(has(methods, "a"));
    BOOST_TEST(has(own_dispatcher(), "a") == false);
    const served_methods copy = methods;
    BOOST_TEST((begun(copy).is == begun(methods).is));
    BOOST_TEST((methods.shared() == begun(methods).is));
}

BOOST_AUTO_TEST_CASE(a_table_is_shared)
{
    const auto table = shared_table_with("a");
    BOOST_TEST((begun(table).is == table));
    const auto changeable = std::make_shared<method_table>();
    BOOST_TEST((begun(changeable).is == changeable));
    BOOST_TEST(has(std::make_unique<method_table>(table_with("a")), "a"));
}

BOOST_AUTO_TEST_CASE(a_function_makes_one_for_each_session)
{
    const auto table = shared_table_with("a");
    BOOST_TEST(has([table](session_options&) { return table; }, "a"));
    int calls = 0;
    const served_methods methods = [&calls](session_options&) {
        ++calls;
        return table_with("a");
    };
    BOOST_TEST(!methods.shared());
    BOOST_TEST((begun(methods).is != begun(methods).is));
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(a_function_has_the_options_and_may_have_the_executor)
{
    asio::any_io_executor seen;
    const served_methods methods = [&seen](asio::any_io_executor executor, session_options& its) {
        seen = std::move(executor);
        its.bounds.message_bytes = 4711;
        return std::make_unique<const method_table>();
    };
    begun one(methods);
    BOOST_TEST((seen == one.context.get_executor()));
    BOOST_TEST(one.options.bounds.message_bytes == 4711u);
}

BOOST_AUTO_TEST_CASE(nothing_to_serve_is_refused)
{
    const auto refuses = [](auto given) { BOOST_CHECK_THROW(served_methods(std::move(given)), std::invalid_argument); };
    refuses(nullptr);
    refuses(std::shared_ptr<const dispatcher>());
    refuses(std::unique_ptr<method_table>());
    refuses(std::function<std::shared_ptr<const dispatcher>(session_options&)>());
    refuses(static_cast<method_table (*)(session_options&)>(nullptr));
}

BOOST_AUTO_TEST_CASE(a_function_that_makes_nothing_is_refused_when_a_session_begins)
{
    const served_methods none = [](session_options&) { return std::shared_ptr<method_table>(); };
    BOOST_CHECK_THROW(begun{none}, std::invalid_argument);
    const served_methods throws = [](session_options&) -> method_table { throw std::domain_error("no"); };
    BOOST_CHECK_THROW(begun{throws}, std::domain_error);
}

BOOST_AUTO_TEST_CASE(what_was_moved_from_is_misuse)
{
    served_methods methods = table_with("a");
    BOOST_TEST(has(std::move(methods), "a")); // by reference: it is still there
    const served_methods next = std::move(methods);
    BOOST_CHECK_THROW(begun{methods}, std::logic_error); // NOLINT(bugprone-use-after-move)
}

BOOST_AUTO_TEST_CASE(a_session_asks_once)
{
    asio::io_context context;
    const auto stream = [&context] { return memory_stream::make_pair(context.get_executor()).first; };
    int calls = 0;
    const session made(stream(), [&calls](session_options&) {
        ++calls;
        return method_table();
    });
    BOOST_TEST(calls == 1);
    const auto refused = [](session_options& its) {
        its.profile = nullptr;
        return method_table();
    };
    BOOST_CHECK_THROW(session(stream(), refused), std::invalid_argument); // by what the function has made of them
    BOOST_CHECK_THROW(session(stream(), nullptr), std::invalid_argument);
    const session calls_only(stream(), {});
    const session by_options(stream(), {.executor_is_serial = true});
}

BOOST_AUTO_TEST_SUITE_END()
