module partyline.test/peer

go 1.25.0

require golang.org/x/exp/jsonrpc2 v0.0.0-20260709172345-9ea1abe57597

require (
	golang.org/x/exp/event v0.0.0-20260611194520-c48552f49976 // indirect
	golang.org/x/xerrors v0.0.0-20240903120638-7835f813f4da // indirect
)
