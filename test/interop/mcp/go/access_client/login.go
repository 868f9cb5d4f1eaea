package main

import (
	"context"
	"os"

	"github.com/modelcontextprotocol/go-sdk/auth/extauth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// Gets tokens from the issuer that the server names: see ../../../access/login_test.mjs.
func logIn(bounded context.Context, revision string) {
	handler, err := extauth.NewClientCredentialsHandler(&extauth.ClientCredentialsHandlerConfig{
		Credentials: &oauthex.ClientCredentials{
			ClientID:         "alice",
			ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: os.Getenv("SECRET")},
			Issuer:           os.Getenv("ISSUER"),
		},
	})
	check(err)
	transport := &mcp.StreamableClientTransport{Endpoint: os.Getenv("URL"), OAuthHandler: handler}
	plain := mcp.NewClient(&mcp.Implementation{Name: "go-login-client", Version: "1.0.0"}, nil)
	session, err := plain.Connect(bounded, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	check(err)
	c := client{bounded, session}
	expectEqual(c.names(), []string{"hash_files", "wait"})
	check(c.try("wait", nothing))
	check(c.try("hash_files", map[string]any{"files": []string{"access.json"}}))
	check(session.Close())
}
