package main

import (
	"context"
	"errors"
	"io"
	"log"

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
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil && !errors.Is(err, io.EOF) {
		log.Fatal(err)
	}
}
