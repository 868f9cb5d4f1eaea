package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"

	"golang.org/x/exp/jsonrpc2"
)

type stdio struct{}

func (stdio) Read(p []byte) (int, error)  { return os.Stdin.Read(p) }
func (stdio) Write(p []byte) (int, error) { return os.Stdout.Write(p) }
func (stdio) Close() error                { return os.Stdin.Close() }

func (s stdio) Dial(context.Context) (io.ReadWriteCloser, error) { return s, nil }

func handle(_ context.Context, request *jsonrpc2.Request) (any, error) {
	if request.Method != "echo" {
		return nil, jsonrpc2.ErrNotHandled
	}
	return request.Params, nil
}

func main() {
	options := jsonrpc2.ConnectionOptions{
		Framer:  jsonrpc2.HeaderFramer(),
		Handler: jsonrpc2.HandlerFunc(handle),
	}
	connection, err := jsonrpc2.Dial(context.Background(), stdio{}, options)
	if err != nil {
		log.Fatal(err)
	}
	if err := connection.Wait(); err != nil && !errors.Is(err, io.EOF) {
		log.Fatal(err)
	}
}
