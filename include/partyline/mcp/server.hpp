#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/detail/binding.hpp>
#include <partyline/mcp/server/context.hpp>
#include <partyline/mcp/server/extension_options.hpp>
#include <partyline/mcp/server/server_options.hpp>
#include <partyline/mcp/server/tool_options.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/run_stdio.hpp>
#include <partyline/session.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::mcp {

class server_core;

/// The name and the description of a tool's parameter.
struct parameter_text {
    /// The name of the parameter among the arguments.
    std::string name;
    /// The description of the parameter; left out when empty.
    std::string text = {};
};

/// A handle to a feature of a server, to hide, show or remove the feature later. A handle may be copied, and may
/// outlive the server.
///
/// Thread safety: safe.
class PARTYLINE_EXPORT feature_handle {
public:
    feature_handle() = default;

    /// Sets whether clients see the feature and may use it; calls under way go on. Clients are notified of the change.
    void enable(bool is_enabled);
    /// Removes the feature from the server. Its name is free again.
    void remove();

private:
    friend class server;
    feature_handle(std::weak_ptr<server_core> of, std::uint64_t number) noexcept : of_(std::move(of)), number_(number)
    {
    }

    std::weak_ptr<server_core> of_;
    std::uint64_t number_ = 0;
};

/// A server of the Model Context Protocol: its tools, resources and prompts are C++ functions. One server serves any
/// number of sessions, of clients that begin with `initialize` (2024-11-05 to 2025-11-25) and of those that do not
/// (2026-07-28), also in one session.
///
///     mcp::server server("notes", "1.0.0");
///     server.add_tool("search", "Finds files that contain a text.", [](search_args a) { return find_files(a); });
///     return server.run_stdio();
///
/// A handler can be anything that can be the handler of a method (see method_table.hpp), optionally with an
/// `mcp::context&` as the first parameter, and with the arguments as a described struct; a tool's arguments may also be
/// named where the tool is added. Features that are added while sessions run are visible to the next request of a
/// session, and clients that have asked for it are notified.
///
/// Errors: adding throws `std::invalid_argument` at once, and adds nothing, for a name that is taken or not valid, an
/// empty function, and a schema with a part that is not known here.
///
/// Movable. Sessions keep the parts of it that they need: it may be destroyed before them.
/// Thread safety: all but moving and destroying may be done from any thread.
class PARTYLINE_EXPORT server {
public:
    /// Makes a server without features. `name` is for programs; people see `server_options::title`.
    server(std::string name, std::string version, server_options options = {});
    ~server();
    server(server&&) noexcept;
    server& operator=(server&&) noexcept;

    /// Adds a tool. Its arguments are a described struct, whose notes describe each member (see rpc/notes.hpp), or
    /// there are none. `description` tells a model what the tool does, and when to use it.
    ///
    /// Its result: void; a string, which is the text that the model reads; a described struct or a map, which is a
    /// structured result and its JSON the text; a number, a bool, a container, which are the member `result` of one;
    /// content, a list of it, or a `tool_result`; a `json::value` or `json_text`, a structured result whose schema is
    /// `tool_options::output_schema`, if any.
    /// Its errors: see tool_error.hpp. Arguments that do not fit fail the call with a text that names all of them.
    ///
    ///     struct search_args {
    ///         std::string pattern;
    ///
    ///         static constexpr auto notes()
    ///         {
    ///             return partyline::notes(note(&search_args::pattern, "Text to look for"));
    ///         }
    ///     };
    ///     BOOST_DESCRIBE_STRUCT(search_args, (), (pattern))
    ///
    ///     void add_search(mcp::server& server)
    ///     {
    ///         server.add_tool(
    ///             "search", "Finds files that contain a text.",
    ///             [](mcp::context& context, search_args what) -> partyline::task<std::vector<std::string>> {
    ///                 co_await context.progress(0, 100, "looking for " + what.pattern);
    ///                 co_return files_with(what.pattern);
    ///             },
    ///             {.read_only = true});
    ///     }
    template <class F>
    feature_handle add_tool(std::string name, std::string description, F function, tool_options options = {})
    {
        return insert_tool(std::move(name), std::move(description), detail::bind_tool(std::move(function)),
                           std::move(options));
    }

    /// Adds a tool by a function whose arguments are named here: `add_tool("add", "Adds.", add, {{"a", "First"}, {"b",
    /// "Second"}})`.
    template <class F>
    feature_handle add_tool(std::string name, std::string description, F function,
                            std::initializer_list<parameter_text> parameters, tool_options options = {})
    {
        std::vector<std::string> names;
        std::vector<std::string> texts;
        for (const parameter_text& one : parameters) {
            names.push_back(one.name);
            texts.push_back(one.text);
        }
        return insert_tool(std::move(name), std::move(description),
                           detail::bind_tool(std::move(function), std::move(names), std::move(texts)),
                           std::move(options));
    }

    /// Adds a tool with a JSON Schema that is written by hand: the schema is listed as it stands, and arguments are
    /// checked against it. The function takes the arguments as a `json::object`, `json_text` or `json_view`.
    template <class F>
    feature_handle add_tool(std::string name, std::string description, json_text input_schema, F function,
                            tool_options options = {})
    {
        detail::tool_binding bound = detail::bind_raw_tool(std::move(function));
        bound.written_schema = std::move(input_schema);
        return insert_tool(std::move(name), std::move(description), std::move(bound), std::move(options));
    }

    /// Adds a tool that is a member function, in each of these ways: `add_tool("search", "Finds files.",
    /// &notes::search, &all_notes)`. The pointer to the object is as for `method_table::add`.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_tool(std::string name, std::string description, F function, Pointer object,
                            tool_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "tool", name);
        return add_tool(std::move(name), std::move(description), std::move(bound), std::move(options));
    }
    /// Adds a tool that is a member function, with names for its arguments.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_tool(std::string name, std::string description, F function, Pointer object,
                            std::initializer_list<parameter_text> parameters, tool_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "tool", name);
        return add_tool(std::move(name), std::move(description), std::move(bound), parameters, std::move(options));
    }
    /// Adds a tool that is a member function, with a JSON Schema.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_tool(std::string name, std::string description, json_text input_schema, F function,
                            Pointer object, tool_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "tool", name);
        return add_tool(std::move(name), std::move(description), std::move(input_schema), std::move(bound),
                        std::move(options));
    }

    /// Adds the resource with this URI. The function takes nothing (or the context) and returns a string, a
    /// `text_resource`, a `blob_resource`, or a `std::vector<resource_contents>`.
    ///
    ///     server.add_resource("notes://today", "today", "Today's note", [] { return read_note("today"); });
    template <class F>
    feature_handle add_resource(std::string uri, std::string name, std::string description, F function,
                                resource_options options = {})
    {
        return insert_resource(std::move(uri), std::move(name), std::move(description),
                               detail::bind_resource(std::move(function)), std::move(options));
    }

    /// Adds a resource that a member function reads, as for tools.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_resource(std::string uri, std::string name, std::string description, F function, Pointer object,
                                resource_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "resource", uri);
        return add_resource(std::move(uri), std::move(name), std::move(description), std::move(bound),
                            std::move(options));
    }

    /// Adds resources whose URIs are made alike: "notes://{date}" (RFC 6570, simple variables and "{+path}", which may
    /// have slashes). The function takes a described struct, whose members are the variables. A URI that does not fit
    /// is not found; for a URI that it does not know, the function throws `resource_not_found()`.
    /// `resource_options::list` lists the resources.
    ///
    ///     server.add_resource_template("notes://{date}", "note", "The note of a day", [](day_args day) {
    ///         if (!has_note(day.date))
    ///             throw mcp::resource_not_found();
    ///         return read_note(day.date);
    ///     });
    template <class F>
    feature_handle add_resource_template(std::string uri_template, std::string name, std::string description,
                                         F function, resource_options options = {})
    {
        return insert_template(std::move(uri_template), std::move(name), std::move(description),
                               detail::bind_template(std::move(function)), std::move(options));
    }

    /// Adds resources that a member function reads, as for tools.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_resource_template(std::string uri_template, std::string name, std::string description,
                                         F function, Pointer object, resource_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "resource template", uri_template);
        return add_resource_template(std::move(uri_template), std::move(name), std::move(description), std::move(bound),
                                     std::move(options));
    }

    /// Adds a prompt. Its arguments are a described struct of strings, optional strings and enums. The function returns
    /// a string, a `prompt_message`, or several.
    ///
    ///     server.add_prompt("review", "Reviews a note", [](day_args day) {
    ///         return mcp::prompt_message::user("Review this note:\n" + read_note(day.date));
    ///     });
    template <class F>
    feature_handle add_prompt(std::string name, std::string description, F function, prompt_options options = {})
    {
        return insert_prompt(std::move(name), std::move(description), detail::bind_prompt(std::move(function)),
                             std::move(options));
    }

    /// Adds a prompt that is a member function, as for tools.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_prompt(std::string name, std::string description, F function, Pointer object,
                              prompt_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "prompt", name);
        return add_prompt(std::move(name), std::move(description), std::move(bound), std::move(options));
    }

    /// Completes an argument of a prompt, or a variable of a template, as a user writes it: the function takes the text
    /// so far, as a `std::string_view`, and returns the completions, the most likely first. The function is called on
    /// the session's executor, and does not wait. Enums are completed automatically.
    void complete(std::string of, std::string argument, std::function<std::vector<std::string>(std::string_view)> by);

    /// Adds an extension of the protocol (SEP-2133): clients see it in `capabilities.extensions`, and may call its
    /// methods. `name` has a vendor prefix, as "com.example/jobs" has; `settings` are facts about the extension for
    /// clients. The handlers take a `request_context&` if they want one, see `requester`; unknown members of params are
    /// ignored unless the options of the method say otherwise. A result is an object, or nothing, which is sent as
    /// `{}`; from 2026-07-28 on it gets `resultType` "complete" and the name and version of the server, unless it has a
    /// type of its own. `missing_capability`, thrown, names the capability that the client lacks. Notifications, and
    /// nothing else, have names that begin with "notifications/".
    ///
    /// An extension with methods is not declared to a client that may call none of them. A client in a session that
    /// began with `initialize` does not learn of an extension that is added later, but may call it. An extension can't
    /// be removed.
    ///
    ///     partyline::method_table methods;
    ///     methods.add("jobs/list", [](partyline::request_context& rpc) { return jobs_of(rpc.peer().principal); });
    ///     server.add_extension("com.example/jobs", {{"states", true}}, std::move(methods));
    ///
    /// Errors: `std::invalid_argument`: a name without prefix, or one that is taken; a method of the protocol's own or
    /// of another extension; a fallback, or `rpc.discover`, in the table; a topic with the member of another one.
    void add_extension(std::string name, boost::json::object settings = {}, method_table methods = {},
                       extension_options how = {});

    /// Notifies the subscribers of a resource that it has changed.
    void resource_updated(std::string uri);

    /// Notifies clients that have asked for it that the resources which a template lists have changed. (They are
    /// notified of resources that are added and removed here in any case.)
    void resources_changed();

    /// Signs by these keys from now on, in place of `server_options::state_keys`, and accepts nothing that other keys
    /// have signed.
    void use_state_keys(const state_keys& keys);

    /// Serves one peer over standard input and output until input ends: see partyline::run_stdio.
    int run_stdio(stdio_options options = {});

    /// Serves a peer over any stream: `async_run` of the session begins it.
    template <class Stream>
    session serve(Stream stream, session_options options = {})
    {
        prepare(options);
        return session(std::move(stream), methods(), std::move(options));
    }

    /// Sets the profile of a session's options, for `partyline::server` and other code that makes sessions; `methods()`
    /// has the methods to serve. The profile is valid for as long as this server, the object that `methods()` returns,
    /// or a session with that profile exists.
    void prepare(session_options& options) const;
    /// The methods that sessions serve, now and after changes: see `prepare`.
    std::shared_ptr<const dispatcher> methods() const;
    /// The profile and the methods as `served_methods`, for code that makes sessions later, also after this server has
    /// been destroyed.
    served_methods session_maker() const;
    /// The arguments of a tool that clients over HTTP repeat in fields (2026-07-28, `x-mcp-header` in the input
    /// schema): the name of the field after "Mcp-Param-", and the names of properties that lead to the argument. The
    /// function may be called after this server has been destroyed.
    std::function<std::vector<std::pair<std::string, std::vector<std::string>>>(std::string_view tool)>
    mirrored_arguments() const;

private:
    feature_handle insert_tool(std::string name, std::string description, detail::tool_binding bound,
                               tool_options options);
    feature_handle insert_resource(std::string uri, std::string name, std::string description,
                                   std::unique_ptr<detail::call_handler> reads, resource_options options);
    feature_handle insert_template(std::string uri_template, std::string name, std::string description,
                                   detail::template_binding bound, resource_options options);
    feature_handle insert_prompt(std::string name, std::string description, detail::prompt_binding bound,
                                 prompt_options options);
    server_core& core() const;

    std::shared_ptr<server_core> core_; // null when moved from
};

/// Thrown by the function of a resource or a template when there is no such resource: the client gets an error with the
/// URI.
class PARTYLINE_EXPORT resource_not_found : public std::exception {
public:
    /// A fixed text: the error that the client gets says more.
    const char* what() const noexcept override { return "resource not found"; }
};

} // namespace partyline::mcp
