// A server of both eras on stdio, written with the official SDK for Go: what sdk_server.mjs has, for our client. Lists
// come in pages of four.
//
//	server [http]
//
// With http it serves that, on the port that the variable PORT has.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	pageSize = 4
	watched  = "test://static-text"
)

type (
	request = *mcp.CallToolRequest
	result  = *mcp.CallToolResult
	none    struct{}
	numbers struct {
		A float64 `json:"a"`
		B float64 `json:"b"`
	}
	sum struct {
		Sum float64 `json:"sum"`
	}
	pace struct {
		Steps int `json:"steps"`
		Ms    int `json:"ms"`
	}
	question struct {
		Message string `json:"message"`
	}
	wish struct {
		Prompt string `json:"prompt"`
	}
)

func text(format string, values ...any) result {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, values...)}}}
}

// add adds a tool without a structured result.
func add[In any](to *mcp.Server, name string, run func(context.Context, request, In) (result, error)) {
	tool := &mcp.Tool{Name: name, Description: "Runs " + name + "."}
	mcp.AddTool(to, tool, func(ctx context.Context, req request, in In) (result, any, error) {
		out, err := run(ctx, req, in)
		return out, nil, err
	})
}

func simpleText(context.Context, request, none) (result, error) {
	return text("This is a simple text response for testing."), nil
}

func fail(context.Context, request, none) (result, error) {
	return nil, errors.New("This tool intentionally returns an error for testing")
}

func takeSteps(ctx context.Context, req request, total float64, steps, ms int) (result, error) {
	token := req.Params.GetProgressToken()
	for step := 1; step <= steps; step++ {
		done := float64(step) * total / float64(steps)
		if token != nil {
			req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: done, Total: total})
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(ms) * time.Millisecond):
		}
	}
	return text("done"), nil
}

func tellLog(ctx context.Context, req request, _ none) (result, error) {
	for _, said := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: said})
		time.Sleep(20 * time.Millisecond)
	}
	return text("Tool with logging executed successfully"), nil
}

// Each that asks is run again with the answer, in either era.
func ask(key string, what mcp.InputRequest) (result, error) {
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{key: what}}, nil
}

func elicit(_ context.Context, req request, asked question) (result, error) {
	if answer, ok := req.Params.InputResponses["user"].(*mcp.ElicitResult); ok {
		content, err := json.Marshal(answer.Content)
		return text("User response: action=%s, content=%s", answer.Action, content), err
	}
	form := &jsonschema.Schema{Type: "object", Required: []string{"username", "email"},
		Properties: map[string]*jsonschema.Schema{"username": {Type: "string"}, "email": {Type: "string"}}}
	return ask("user", &mcp.ElicitParams{Message: asked.Message, RequestedSchema: form})
}

func textOf(content mcp.Content) string {
	return content.(*mcp.TextContent).Text
}

func sample(_ context.Context, req request, asked wish) (result, error) {
	switch answer := req.Params.InputResponses["said"].(type) {
	case *mcp.CreateMessageResult:
		return text("LLM response: %s", textOf(answer.Content)), nil
	case *mcp.CreateMessageWithToolsResult:
		return text("LLM response: %s", textOf(answer.Content[0])), nil
	}
	said := &mcp.SamplingMessage{Role: "user", Content: &mcp.TextContent{Text: asked.Prompt}}
	return ask("said", &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{said}, MaxTokens: 100})
}

func listRoots(_ context.Context, req request, _ none) (result, error) {
	answer, ok := req.Params.InputResponses["roots"].(*mcp.ListRootsResult)
	if !ok {
		return ask("roots", &mcp.ListRootsParams{})
	}
	var uris []string
	for _, root := range answer.Roots {
		uris = append(uris, root.URI)
	}
	return text("Roots: %s", strings.Join(uris, " ")), nil
}

func addTools(to *mcp.Server) {
	add(to, "test_simple_text", simpleText)
	mcp.AddTool(to, &mcp.Tool{Name: "sum", Description: "Runs sum."},
		func(_ context.Context, _ request, of numbers) (result, sum, error) { return nil, sum{of.A + of.B}, nil })
	add(to, "test_error_handling", fail)
	add(to, "test_tool_with_progress", func(ctx context.Context, req request, _ none) (result, error) {
		return takeSteps(ctx, req, 100, 3, 20)
	})
	add(to, "slow", func(ctx context.Context, req request, in pace) (result, error) {
		return takeSteps(ctx, req, float64(in.Steps), in.Steps, in.Ms)
	})
	add(to, "test_tool_with_logging", tellLog)
	add(to, "test_elicitation", elicit)
	add(to, "test_sampling", sample)
	add(to, "list_roots", listRoots)
	add(to, "test_trigger_tool_change", func(context.Context, request, none) (result, error) {
		add(to, "test_dynamic_tool", simpleText)
		return text("Mutation triggered"), nil
	})
	add(to, "touch", func(ctx context.Context, _ request, _ none) (result, error) {
		return text("done"), to.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: watched})
	})
}

func contents(uri, words string) (*mcp.ReadResourceResult, error) {
	content := &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: words}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}}, nil
}

func addResources(to *mcp.Server) {
	to.AddResource(&mcp.Resource{URI: watched, Name: "static-text", Description: "A text", MIMEType: "text/plain"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return contents(watched, "This is the content of the static text resource.")
		})
	template := &mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", Description: "Data by id"}
	to.AddResourceTemplate(template,
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			uri := req.Params.URI
			id := strings.TrimSuffix(strings.TrimPrefix(uri, "test://template/"), "/data")
			return contents(uri, "Data for "+id)
		})
}

func said(words string) (*mcp.GetPromptResult, error) {
	message := &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: words}}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{message}}, nil
}

func addPrompts(to *mcp.Server) {
	to.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "A prompt"},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return said("This is a simple prompt for testing.")
		})
	arguments := []*mcp.PromptArgument{{Name: "arg1", Required: true}, {Name: "arg2", Required: true}}
	prompt := &mcp.Prompt{Name: "test_prompt_with_arguments", Description: "A prompt with arguments", Arguments: arguments}
	to.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		given := req.Params.Arguments
		return said(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", given["arg1"], given["arg2"]))
	})
}

func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var values []string
	for _, id := range []string{"alpha", "alpine", "beta"} {
		if strings.HasPrefix(id, req.Params.Argument.Value) {
			values = append(values, id)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

func serve(server *mcp.Server, overHTTP bool) error {
	if !overHTTP {
		return server.Run(context.Background(), &mcp.StdioTransport{})
	}
	return http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), bothEras(server))
}

// The SDK has a handler for sessions and one for requests without, and each knows the revisions of its own era alone.
func bothEras(server *mcp.Server) http.HandlerFunc {
	forAll := func(*http.Request) *mcp.Server { return server }
	sessions := mcp.NewStreamableHTTPHandler(forAll, nil)
	requests := mcp.NewStreamableHTTPHandler(forAll, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true})
	return func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("MCP-Protocol-Version") < "2026-07-28" {
			sessions.ServeHTTP(w, req)
		} else {
			requests.ServeHTTP(w, req)
		}
	}
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "go-server", Version: "1.0.0"}, &mcp.ServerOptions{
		PageSize:           pageSize,
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addTools(server)
	addResources(server)
	addPrompts(server)
	if err := serve(server, len(os.Args) > 1 && os.Args[1] == "http"); err != nil {
		log.Fatal(err)
	}
}
