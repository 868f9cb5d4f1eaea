// The official SDK for Go as a client of servers with an access file, in the revisions of both eras: see
// ../../../access/with_access.py.
//
//	access_client URL...
//	access_client login
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const patience = 60 * time.Second // for all of it

var (
	reader  = os.Getenv("READER")
	writer  = os.Getenv("WRITER")
	nothing = map[string]any{"seconds": 0}
	files   = map[string]any{"files": []string{"notes.txt"}}
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func expectEqual(found, expected any) {
	if !reflect.DeepEqual(found, expected) {
		check(fmt.Errorf("found %v, expected %v", found, expected))
	}
}

// Shows a token with each request.
type bearer string

func (token bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	if token != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+string(token))
	}
	return http.DefaultTransport.RoundTrip(request)
}

type client struct {
	context context.Context
	session *mcp.ClientSession
}

func open(bounded context.Context, url, revision, token string) (client, error) {
	transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(token)}}
	plain := mcp.NewClient(&mcp.Implementation{Name: "go-access-client", Version: "1.0.0"}, nil)
	session, err := plain.Connect(bounded, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	return client{bounded, session}, err
}

func (c client) names() []string {
	tools, err := c.session.ListTools(c.context, nil)
	check(err)
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

func (c client) try(name string, input map[string]any) error {
	result, err := c.session.CallTool(c.context, &mcp.CallToolParams{Name: name, Arguments: input})
	if err == nil && result.IsError {
		err = fmt.Errorf("%s fails", name)
	}
	return err
}

// The error of the server that an error is made of.
func failure(err error) *jsonrpc.Error {
	var told *jsonrpc.Error
	if !errors.As(err, &told) {
		check(fmt.Errorf("no error of the server: %v", err))
	}
	return told
}

func (c client) read() {
	expectEqual(c.names(), []string{"hash_files", "wait"})
	check(c.try("wait", nothing))
	hidden, unknown := failure(c.try("search_files", nil)), failure(c.try("search_filez", nil))
	expectEqual(hidden.Code, int64(-32602))
	expectEqual(unknown.Code, hidden.Code)
	expectEqual(strings.Replace(hidden.Message, "search_files", "search_filez", 1), unknown.Message)
	lacking := failure(c.try("hash_files", files))
	expectEqual(lacking.Code, int64(-31003))
	expectEqual(string(lacking.Data), `{"required":["files:write"]}`)
	check(c.try("wait", nothing)) // it goes on
}

func (c client) write() {
	expectEqual(c.names(), []string{"hash_files", "search_files", "wait"})
	check(c.try("hash_files", files))
}

func seeWhatIsAllowed(bounded context.Context, url, revision string) {
	first, err := open(bounded, url, revision, reader)
	check(err)
	first.read()
	second, err := open(bounded, url, revision, writer)
	check(err)
	second.write()
	check(first.session.Close())
	check(second.session.Close())
	for _, token := range []string{"", reader + "x"} {
		_, err := open(bounded, url, revision, token)
		if err == nil || !strings.Contains(err.Error(), http.StatusText(http.StatusUnauthorized)) {
			check(fmt.Errorf("it should be refused, not: %v", err))
		}
	}
}

func main() {
	bounded, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	for _, word := range os.Args[1:] {
		for _, revision := range []string{"2025-11-25", "2026-07-28"} {
			if word == "login" {
				logIn(bounded, revision)
			} else {
				seeWhatIsAllowed(bounded, word, revision)
			}
		}
	}
	fmt.Println("all as expected")
}
