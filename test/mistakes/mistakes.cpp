// What does not compile, and the sentence that says why. Each row stands for a file of its own behind prologue.hpp: its
// first error must be the sentence, and the message must name the line that is marked `// here`. (A request_context by
// value the compiler refuses by itself: "abstract type 'partyline::request_context'".)

//// a handler needs one fixed signature: a function, a lambda without auto, an object with one operator()
void row()
{
    table.add("x", [](auto n) { return n; }); // here
}

//// a handler needs one fixed signature
struct overloaded {
    int operator()(int n) { return n; }
    int operator()(int a, int b) { return a + b; }
};
void row()
{
    table.add("x", overloaded(), {"n"}); // here
}

//// a handler needs one fixed signature
void row()
{
    table.set_fallback("text"); // here
}

//// a member function needs its object
struct service {
    int run(int n) { return n; }
};
void row()
{
    table.add("x", &service::run, {"n"}); // here
}

//// a handler has as many names as parameters, request_context& not counted
void row()
{
    table.add("x", [](int a, int b) { return a + b; }, {"a"}); // here
}

//// a handler has as many names as parameters, request_context& not counted
void row()
{
    table.add_notification("x", [](request_context&, int) {}, {"context", "a"}); // here
}

//// a text by itself says nothing here: names stand in braces, add("x", f, {"a"})
void row()
{
    table.add("x", [](int a) { return a; }, "a"); // here
}

//// a text by itself says nothing here: names stand in braces, add("x", f, {"a"})
void row()
{
    table.add_notification("x", [](int, int) {}, std::string("Adds numbers"), {.ordered = true}); // here
}

//// a text by itself says nothing here: names stand in braces, add("x", f, {"a"})
struct service {
    int run(int n) { return n; }
};
void row(service& one)
{
    table.add("x", &service::run, &one, "n"); // here
}

//// a handler is called for every request: its operator() has no && behind it
struct spent {
    int operator()(int n) && { return n; }
};
void row()
{
    table.add("x", spent()); // here
}

//// a handler takes its context by reference, as the first parameter
void row()
{
    table.add("x", [](int, request_context&) {}); // here
}

//// abstract
void row()
{
    table.add("x", [](request_context, int) {}, {"a"}); // here
}

//// a handler takes its context by reference, as the first parameter
#include <partyline/mcp/server.hpp>
void row(mcp::server& server)
{
    server.add_tool("x", "Does it", [](mcp::context) {}); // here
}

//// arguments are taken by value or by reference to const
void row()
{
    table.add("x", [](std::string& text) { text.clear(); }); // here
}

//// a coroutine outlives what std::string_view and json_view show: take std::string or json_text
void row()
{
    table.add("x", [](std::string_view) -> awaitable<void> { co_return; }, {"a"}); // here
}

//// an argument is no pointer: a text is a std::string, and what may be left out a std::optional
void row()
{
    table.add("x", [](const char*) {}); // here
}

//// a coroutine returns json_text or a string, not a view
void row()
{
    table.add("x", []() -> awaitable<std::string_view> { co_return "x"; }); // here
}

//// no way to read this type, or a part of it: describe it (BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM)
struct undescribed {
    int a = 0;
};
void row()
{
    table.add("x", [](std::vector<undescribed>) {}); // here
}

//// no way to read this type, or a part of it: describe it (BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM)
struct part {
    int a = 0;
};
struct whole {
    std::optional<part> held;
};
BOOST_DESCRIBE_STRUCT(whole, (), (held))
void row()
{
    table.add("x", [](whole) {}); // here
}

//// no way to write this type, or a part of it, as a result: describe it (BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM)
struct undescribed {
    int a = 0;
};
void row()
{
    table.add("x", [] { return undescribed(); }); // here
}

//// no way to write this type, or a part of it, as a result: describe it (BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM)
struct undescribed {
    int a = 0;
};
void row()
{
    table.add("x", []() -> awaitable<std::vector<undescribed>> { co_return std::vector<undescribed>(); }); // here
}

//// a handler that returns a value or an error has rpc_error or error_object as the error
void row()
{
    table.add("x", [] { return boost::system::result<int>(1); }); // here
}

//// raw text is read by itself, a result as json_text: it is no part of another type
void row()
{
    table.add("x", [](std::vector<json_text>) {}); // here
}

//// text in what is read is a std::string, not a view: what it would show is gone
struct titled {
    std::string_view name;
};
BOOST_DESCRIBE_STRUCT(titled, (), (name))
void row()
{
    table.add("x", [](titled) {}); // here
}

//// range, at_least and at_most are for members that are numbers
struct noted {
    std::string text;
    static constexpr auto notes() { return partyline::notes(note(&noted::text, range(1, 2))); } // here
};
BOOST_DESCRIBE_STRUCT(noted, (), (text))

//// length is for members that are strings or containers
struct noted {
    int number = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::number, "a number", length(1))); } // here
};

//// one_of is for members that are strings
struct noted {
    int number = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::number, one_of("a", "b"))); } // here
};

//// format is for members that are strings
struct noted {
    int number = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::number, format("date"))); } // here
};

//// a member that is a std::optional may be left out anyway: it needs no defaulted
struct noted {
    std::optional<int> number;
    static constexpr auto notes() { return partyline::notes(note(&noted::number, defaulted)); } // here
};

//// as_numbers stands by itself, in the notes of an enum
struct noted {
    int number = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::number, as_numbers)); } // here
};

//// the notes of a type speak of what is not its own
struct other {
    int number = 0;
};
struct noted {
    int number = 0;
    static constexpr auto notes() { return partyline::notes(note(&other::number, defaulted)); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (number))
void row()
{
    table.add("x", [](noted) {}); // here
}

//// the notes of a type speak of what is not its own
struct noted {
    int number = 0;
    static constexpr auto notes() { return partyline::notes(range(1, 2)); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (number))
void row()
{
    table.add("x", [](noted) {}); // here
}

//// a note is about a member or an enumerator that BOOST_DESCRIBE_STRUCT or BOOST_DESCRIBE_ENUM does not name
struct noted {
    int number = 0;
    int other = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::other, defaulted)); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (number))
void row()
{
    table.add("x", [](noted) {}); // here
}

//// a note is about a member or an enumerator that BOOST_DESCRIBE_STRUCT or BOOST_DESCRIBE_ENUM does not name
enum class color { red, blue };
BOOST_DESCRIBE_ENUM(color, red)
constexpr auto notes_of(of<color>)
{
    return notes(note(color::blue, "like the sky"));
}
void row()
{
    table.add("x", [] { return color::red; }); // here
}

//// notes() of a type is public, static and constexpr, has no parameters, and returns partyline::notes(...)
struct noted {
    int number = 0;
    constexpr auto notes() const { return partyline::notes(note(&noted::number, defaulted)); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (number))
void row()
{
    table.add("x", [](noted) {}); // here
}

//// notes() of a type is public, static and constexpr, has no parameters, and returns partyline::notes(...)
struct noted {
    int number = 0;
    static constexpr auto notes() { return note(&noted::number, defaulted); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (number))
void row()
{
    table.add("x", [](noted) {}); // here
}

//// a clean-up that is notify() or progress() has been said before the work begins
awaitable<void> row(request_context& context, awaitable<int> work)
{
    co_await with_clean_up(std::move(work), context.notify("bye")); // here
}

//// a clean-up that is notify() or progress() has been said before the work begins
task<> row(request_context& context, task<int> work)
{
    co_await with_clean_up(std::move(work), context.progress(1)); // here
}

//// two notes are about the same: all that is said of a member stands in one note
struct noted {
    int number = 0;
    static constexpr auto notes()
    {
        return partyline::notes(note(&noted::number, defaulted), note(&noted::number, range(1, 2)));
    }
};
BOOST_DESCRIBE_STRUCT(noted, (), (number))
void row()
{
    table.add("x", [](int, noted) {}); // here
}

//// a rule allows no value: its minimum is above its maximum, or its member's type has none within its bounds
struct noted {
    int number = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::number, range(2, 1))); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (number))
void row()
{
    table.add("x", [] { return noted(); }); // here
}

//// two members have the same name in JSON
struct noted {
    int a = 0;
    int b = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::a, wire_name("b"))); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (a, b))
void row()
{
    table.add("x", [](noted) {}); // here
}

//// two enumerators have the same name in JSON
enum class color { red, blue };
BOOST_DESCRIBE_ENUM(color, red, blue)
constexpr auto notes_of(of<color>)
{
    return notes(note(color::red, wire_name("blue")));
}
void row()
{
    table.add("x", [](color) {}); // here
}

//// a type that contains itself has no JSON Schema without $ref, which many clients refuse
struct node {
    std::vector<std::optional<node>> children;
};
BOOST_DESCRIBE_STRUCT(node, (), (children))
const auto schema = json_schema<node>(); // here

//// the result of a call has a default constructor
struct unmade {
    explicit unmade(int n);
};
boost::system::result<unmade> tag_invoke(const boost::json::try_value_to_tag<unmade>&, const boost::json::value&);
auto row(session& peer)
{
    return peer.call<unmade>("x"); // here
}

//// no way to write this type, or a part of it, as JSON: describe it (BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM)
struct undescribed {
    int a = 0;
};
void row(request_context& context)
{
    context.progress(std::vector<undescribed>(1)); // here
}

//// no way to write this type, or a part of it, as JSON: describe it (BOOST_DESCRIBE_STRUCT, BOOST_DESCRIBE_ENUM)
struct undescribed {
    int a = 0;
};
const call_params params = named("a", undescribed()); // here

//// a name has no value: named("a", 1, "b", 2)
const call_params params = named("a", 1, "b"); // here

//// raw text can be the params as a whole, not one of them
const call_params params = args(1, json_text("{}")); // here

//// this is no rule of a member: rpc/notes.hpp has those that there are
struct noted {
    std::string a;
    static constexpr auto notes() { return partyline::notes(note(&noted::a, "one", "two")); } // here
};
BOOST_DESCRIBE_STRUCT(noted, (), (a))
void row()
{
    table.add("x", [](noted) {});
}

//// a rule allows no value: its minimum is above its maximum, or its member's type has none within its bounds
struct noted {
    std::uint8_t a = 0;
    static constexpr auto notes() { return partyline::notes(note(&noted::a, range(300, 400))); }
};
BOOST_DESCRIBE_STRUCT(noted, (), (a))
void row()
{
    table.add("x", [](noted) {}); // here
}

//// text in what is read is a std::string, not a view: what it would show is gone
void row()
{
    table.add("x", [](whole_params<std::map<std::string_view, int>>) {}); // here
}

//// raw text is read by itself, a result as json_text: it is no part of another type
void row()
{
    table.add("x", [](whole_params<partyline::json_view>) -> awaitable<void> { co_return; }); // here
}

//// an enumerator that is a number in JSON is none above 9223372036854775807
enum class size : std::uint64_t { none, most = ~0ull };
BOOST_DESCRIBE_ENUM(size, none, most)
constexpr auto notes_of(of<size>)
{
    return notes(as_numbers);
}
void row()
{
    table.add("x", [](size) {}); // here
}

//// text in what is read is a std::string, not a view: what it would show is gone
auto row(session& peer)
{
    return peer.call<std::map<std::string_view, int>>("x"); // here
}

//// text in what is read is a std::string, not a view: what it would show is gone
auto row(session& peer)
{
    return peer.call<std::string_view>("x"); // here
}

//// raw text is read by itself, a result as json_text: it is no part of another type
auto row(session& peer)
{
    return peer.call<std::vector<json_text>>("x"); // here
}

//// no way to read this type, or a part of it: describe it
struct undescribed {
    int a = 0;
};
auto row(session& peer)
{
    return peer.call<std::optional<undescribed>>("x"); // here
}

//// a session closes its stream: it has a close(), or a lowest_layer() with one
struct endless_stream {
    boost::asio::any_io_executor get_executor();
    void async_read_some(auto buffer, auto handler);
    void async_write_some(auto buffer, auto handler);
};
auto row(endless_stream stream)
{
    return session(stream); // here
}
