package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type echoed struct {
	Text string `json:"text" jsonschema:"the text"`
}

func echo(_ context.Context, _ *mcp.CallToolRequest, given echoed) (*mcp.CallToolResult, echoed, error) {
	return nil, given, nil
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "mcp-go-peer", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Returns the text that it is given."}, echo)
	http.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
