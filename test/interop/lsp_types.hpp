#pragma once

#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/json/value.hpp>

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Types of the Language Server Protocol 3.17 as described structs. Members have the protocol's own names, in its own
/// spelling, so that nothing needs a note but what C++ can't spell. What may be missing is a `std::optional`, what may
/// be of several types a `std::variant`.
namespace lsp_types {

using any_value = boost::json::value; // LSPAny
using partyline::note;
using partyline::one_of;
using partyline::wire_name;

struct Position {
    std::uint32_t line = 0;
    std::uint32_t character = 0;

    static constexpr auto notes()
    {
        constexpr partyline::at_most uinteger(0x7fff'ffffu);
        return partyline::notes(note(&Position::line, uinteger), note(&Position::character, uinteger));
    }
};
BOOST_DESCRIBE_STRUCT(Position, (), (line, character))

struct Range {
    Position start;
    Position end;
};
BOOST_DESCRIBE_STRUCT(Range, (), (start, end))

struct Location {
    std::string uri;
    Range range;
};
BOOST_DESCRIBE_STRUCT(Location, (), (uri, range))

struct MarkupContent {
    std::string kind;
    std::string value;

    static constexpr auto notes()
    {
        return partyline::notes(note(&MarkupContent::kind, one_of("plaintext", "markdown")));
    }
};
BOOST_DESCRIBE_STRUCT(MarkupContent, (), (kind, value))

struct Command {
    std::string title;
    std::string command;
    std::optional<std::vector<any_value>> arguments;
};
BOOST_DESCRIBE_STRUCT(Command, (), (title, command, arguments))

// Enumerations. `as_numbers` is said of all of them below.

enum class DiagnosticSeverity { Error = 1, Warning, Information, Hint };
BOOST_DESCRIBE_ENUM(DiagnosticSeverity, Error, Warning, Information, Hint)

enum class DiagnosticTag { Unnecessary = 1, Deprecated };
BOOST_DESCRIBE_ENUM(DiagnosticTag, Unnecessary, Deprecated)

// clang-format off
enum class CompletionItemKind {
    Text = 1, Method, Function, Constructor, Field, Variable, Class, Interface, Module, Property, Unit, Value, Enum,
    Keyword, Snippet, Color, File, Reference, Folder, EnumMember, Constant, Struct, Event, Operator, TypeParameter
};
BOOST_DESCRIBE_ENUM(CompletionItemKind,
    Text, Method, Function, Constructor, Field, Variable, Class, Interface, Module, Property, Unit, Value, Enum,
    Keyword, Snippet, Color, File, Reference, Folder, EnumMember, Constant, Struct, Event, Operator, TypeParameter)

enum class SymbolKind {
    File = 1, Module, Namespace, Package, Class, Method, Property, Field, Constructor, Enum, Interface, Function,
    Variable, Constant, String, Number, Boolean, Array, Object, Key, Null, EnumMember, Struct, Event, Operator,
    TypeParameter
};
BOOST_DESCRIBE_ENUM(SymbolKind,
    File, Module, Namespace, Package, Class, Method, Property, Field, Constructor, Enum, Interface, Function, Variable,
    Constant, String, Number, Boolean, Array, Object, Key, Null, EnumMember, Struct, Event, Operator, TypeParameter)
// clang-format on

enum class CompletionItemTag { Deprecated = 1 };
BOOST_DESCRIBE_ENUM(CompletionItemTag, Deprecated)

enum class InsertTextFormat { PlainText = 1, Snippet };
BOOST_DESCRIBE_ENUM(InsertTextFormat, PlainText, Snippet)

enum class InsertTextMode { asIs = 1, adjustIndentation };
BOOST_DESCRIBE_ENUM(InsertTextMode, asIs, adjustIndentation)

enum class SymbolTag { Deprecated = 1 };
BOOST_DESCRIBE_ENUM(SymbolTag, Deprecated)

template <class E, class... Each>
concept is_any_of = (std::same_as<E, Each> || ...);

template <is_any_of<DiagnosticSeverity, DiagnosticTag, CompletionItemKind, CompletionItemTag, InsertTextFormat,
                    InsertTextMode, SymbolKind, SymbolTag>
              E>
constexpr auto notes_of(partyline::of<E>)
{
    return partyline::notes(partyline::as_numbers);
}

// Diagnostics

struct DiagnosticRelatedInformation {
    Location location;
    std::string message;
};
BOOST_DESCRIBE_STRUCT(DiagnosticRelatedInformation, (), (location, message))

struct CodeDescription {
    std::string href;
};
BOOST_DESCRIBE_STRUCT(CodeDescription, (), (href))

struct Diagnostic {
    Range range;
    std::optional<DiagnosticSeverity> severity;
    std::optional<std::variant<std::int32_t, std::string>> code;
    std::optional<CodeDescription> codeDescription;
    std::optional<std::string> source;
    std::string message;
    std::optional<std::vector<DiagnosticTag>> tags;
    std::optional<std::vector<DiagnosticRelatedInformation>> relatedInformation;
    std::optional<any_value> data;
};
BOOST_DESCRIBE_STRUCT(Diagnostic, (),
                      (range, severity, code, codeDescription, source, message, tags, relatedInformation, data))

// Edits

struct TextEdit {
    Range range;
    std::string newText;
};
BOOST_DESCRIBE_STRUCT(TextEdit, (), (range, newText))

/// Stands for TextEdit as well, which is the same without the id. As two alternatives, an id that is wrong would not be
/// refused: without it the value is a TextEdit, whose unknown members are ignored.
struct AnnotatedTextEdit : TextEdit {
    std::optional<std::string> annotationId;
};
BOOST_DESCRIBE_STRUCT(AnnotatedTextEdit, (TextEdit), (annotationId))

/// Its `version` is null where there is none, and not left out.
struct OptionalVersionedTextDocumentIdentifier {
    std::string uri;
    std::optional<std::int32_t> version;

    static constexpr auto notes() { return partyline::notes(partyline::empty_optionals::null); }
};
BOOST_DESCRIBE_STRUCT(OptionalVersionedTextDocumentIdentifier, (), (uri, version))

struct TextDocumentEdit {
    OptionalVersionedTextDocumentIdentifier textDocument;
    std::vector<AnnotatedTextEdit> edits;
};
BOOST_DESCRIBE_STRUCT(TextDocumentEdit, (), (textDocument, edits))

struct CreateFileOptions {
    std::optional<bool> overwrite;
    std::optional<bool> ignoreIfExists;
};
BOOST_DESCRIBE_STRUCT(CreateFileOptions, (), (overwrite, ignoreIfExists))

struct CreateFile {
    std::string kind = "create";
    std::string uri;
    std::optional<CreateFileOptions> options;
    std::optional<std::string> annotationId;

    static constexpr auto notes() { return partyline::notes(note(&CreateFile::kind, one_of("create"))); }
};
BOOST_DESCRIBE_STRUCT(CreateFile, (), (kind, uri, options, annotationId))

struct DeleteFileOptions {
    std::optional<bool> recursive;
    std::optional<bool> ignoreIfNotExists;
};
BOOST_DESCRIBE_STRUCT(DeleteFileOptions, (), (recursive, ignoreIfNotExists))

struct DeleteFile {
    std::string kind = "delete";
    std::string uri;
    std::optional<DeleteFileOptions> options;
    std::optional<std::string> annotationId;

    static constexpr auto notes() { return partyline::notes(note(&DeleteFile::kind, one_of("delete"))); }
};
BOOST_DESCRIBE_STRUCT(DeleteFile, (), (kind, uri, options, annotationId))

struct ChangeAnnotation {
    std::string label;
    std::optional<bool> needsConfirmation;
    std::optional<std::string> description;
};
BOOST_DESCRIBE_STRUCT(ChangeAnnotation, (), (label, needsConfirmation, description))

struct WorkspaceEdit {
    std::optional<std::map<std::string, std::vector<TextEdit>>> changes;
    std::optional<std::vector<std::variant<TextDocumentEdit, CreateFile, DeleteFile>>> documentChanges;
    std::optional<std::map<std::string, ChangeAnnotation>> changeAnnotations;
};
BOOST_DESCRIBE_STRUCT(WorkspaceEdit, (), (changes, documentChanges, changeAnnotations))

} // namespace lsp_types
