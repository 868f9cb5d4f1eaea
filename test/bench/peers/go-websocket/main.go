package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type reply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func answer(asked request) reply {
	said := reply{Version: "2.0", ID: asked.ID}
	if asked.Method == "echo" {
		said.Result = asked.Params
	} else {
		said.Error = &failure{Code: -32601, Message: "Method not found"}
	}
	return said
}

func serve(w http.ResponseWriter, r *http.Request) {
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer socket.CloseNow()
	for {
		var asked request
		if err := wsjson.Read(context.Background(), socket, &asked); err != nil {
			return
		}
		if err := wsjson.Write(context.Background(), socket, answer(asked)); err != nil {
			return
		}
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s\n", listener.Addr())
	http.HandleFunc("/ws", serve)
	log.Fatal(http.Serve(listener, nil))
}
