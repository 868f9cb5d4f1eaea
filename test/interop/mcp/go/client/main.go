// The official SDK for Go as the client of a server on stdio or over HTTP:
//
//	client REVISION [--http] SERVER ARGUMENTS...
//
// With 2026-07-28 it asks the server first, with an older one it begins with the handshake.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	patience   = 60 * time.Second // for all of it
	simpleText = "This is a simple text response for testing."
)

type arguments map[string]any

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func expect(isSo bool, format string, values ...any) {
	if !isSo {
		check(fmt.Errorf(format, values...))
	}
}

func expectEqual(found, expected string) {
	expect(found == expected, "found %q, expected %q", found, expected)
}

func textOf(result *mcp.CallToolResult) string {
	var text strings.Builder
	for _, block := range result.Content {
		text.WriteString(block.(*mcp.TextContent).Text)
	}
	return text.String()
}

type talk struct {
	context  context.Context
	session  *mcp.ClientSession
	progress chan *mcp.ProgressNotificationParams
}

func (t *talk) call(name string, input arguments) *mcp.CallToolResult {
	result, err := t.session.CallTool(t.context, &mcp.CallToolParams{Name: name, Arguments: input})
	check(err)
	return result
}

func (t *talk) nextProgress() *mcp.ProgressNotificationParams {
	select {
	case seen := <-t.progress:
		return seen
	case <-time.After(patience / 2):
		check(fmt.Errorf("no progress within %s", patience/2))
		return nil
	}
}

func (t *talk) callTools() {
	tools, err := t.session.ListTools(t.context, nil)
	check(err)
	listed := map[string]bool{}
	for _, tool := range tools.Tools {
		listed[tool.Name] = true
	}
	for _, name := range []string{"test_simple_text", "test_tool_with_progress", "test_error_handling", "slow"} {
		expect(listed[name], "%s is not listed", name)
	}
	expectEqual(textOf(t.call("test_simple_text", arguments{})), simpleText)
	failed := t.call("test_error_handling", arguments{})
	expect(failed.IsError, "the tool should fail")
	expectEqual(textOf(failed), "This tool intentionally returns an error for testing")
}

// The SDK handles notifications beside answers, so that the last may come a little after the answer.
func (t *talk) seeProgress() {
	params := &mcp.CallToolParams{Name: "test_tool_with_progress", Meta: mcp.Meta{"progressToken": "steps"}}
	_, err := t.session.CallTool(t.context, params)
	check(err)
	last := -1.0
	for range 2 {
		seen := t.nextProgress()
		expect(seen.ProgressToken == "steps" && seen.Total == 100 && seen.Progress > last, "progress: %+v", seen)
		last = seen.Progress
	}
}

func (t *talk) drainProgress() {
	for len(t.progress) > 0 {
		<-t.progress
	}
}

func (t *talk) cancel() {
	cancellable, cancel := context.WithCancel(t.context)
	defer cancel()
	t.drainProgress()
	go func() {
		t.nextProgress()
		cancel()
	}()
	meta := mcp.Meta{"progressToken": "slow"}
	params := &mcp.CallToolParams{Name: "slow", Arguments: arguments{"steps": 200, "ms": 50}, Meta: meta}
	_, err := t.session.CallTool(cancellable, params)
	expect(err != nil && cancellable.Err() != nil, "the call should be cancelled, not end by %v", err)
	expectEqual(textOf(t.call("test_simple_text", arguments{})), simpleText)
	// What was on its way has come soon after that.
	time.Sleep(100 * time.Millisecond)
	t.drainProgress()
	time.Sleep(200 * time.Millisecond)
	expect(len(t.progress) == 0, "progress after a cancel")
}

func (t *talk) readRest() {
	read, err := t.session.ReadResource(t.context, &mcp.ReadResourceParams{URI: "test://static-text"})
	check(err)
	expectEqual(read.Contents[0].Text, "This is the content of the static text resource.")
	prompt, err := t.session.GetPrompt(t.context, &mcp.GetPromptParams{
		Name: "test_prompt_with_arguments", Arguments: map[string]string{"arg1": "one", "arg2": "two"}})
	check(err)
	expectEqual(prompt.Messages[0].Content.(*mcp.TextContent).Text, "Prompt with arguments: arg1='one', arg2='two'")
}

func (t *talk) elicit() {
	said := textOf(t.call("test_elicitation", arguments{"message": "Who are you?"}))
	expect(strings.Contains(said, "action=accept") && strings.Contains(said, "testuser"), "%s", said)
}

func answer(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	content := map[string]any{"username": "testuser", "email": "test@example.com"}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// Starts a server that says where it listens on its standard error.
func startHTTP(command *exec.Cmd) mcp.Transport {
	told, err := command.StderrPipe()
	check(err)
	check(command.Start())
	line, err := bufio.NewReader(told).ReadString('\n')
	check(err)
	address := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	if slices.Contains(command.Args, "--tls-certificate") {
		address = "https://" + strings.Replace(address, "127.0.0.1", "localhost", 1) // as its certificate says
	}
	return &mcp.StreamableClientTransport{Endpoint: address + "/mcp"}
}

func main() {
	if len(os.Args) < 3 {
		check(fmt.Errorf("usage: client REVISION [--http] SERVER ARGUMENTS..."))
	}
	revision, words := os.Args[1], os.Args[2:]
	overHTTP := words[0] == "--http"
	if overHTTP {
		words = words[1:]
	}
	command := exec.Command(words[0], words[1:]...)
	bounded, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	t := talk{context: bounded, progress: make(chan *mcp.ProgressNotificationParams, 1000)}
	client := mcp.NewClient(&mcp.Implementation{Name: "go-client", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: answer,
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			t.progress <- request.Params
		},
	})
	var err error
	options := &mcp.ClientSessionOptions{ProtocolVersion: revision}
	var transport mcp.Transport
	if overHTTP {
		transport = startHTTP(command)
		defer func() { check(command.Process.Signal(syscall.SIGTERM)) }()
	} else {
		command.Stderr = os.Stderr
		transport = &mcp.CommandTransport{Command: command}
	}
	t.session, err = client.Connect(bounded, transport, options)
	check(err)
	expectEqual(t.session.InitializeResult().ProtocolVersion, revision)
	t.callTools()
	t.seeProgress()
	t.cancel()
	t.readRest()
	t.elicit()
	begun := time.Now()
	err = t.session.Close()
	expect(err == nil, "the server should end well, not by: %v", err)
	expect(time.Since(begun) < 4*time.Second, "the end took %s", time.Since(begun))
	fmt.Println("all as expected")
}
