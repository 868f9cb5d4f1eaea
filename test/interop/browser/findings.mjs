// What pages find out of partyline-echo.

// Of an origin that is allowed: pages/rpc.mjs and pages/websocket.mjs.
export const rpc = {
    added: 42, counted: [1, 2, 3, 3], abandoned: { first: 1, end: 'AbortError' }, asText: 415,
};
export const websocket = {
    protocol: 'jsonrpc', extensions: '', sum: 42, counted: [1, 2, 3, { counted: 3 }], calledBack: [2, 4, 6], cancelled: -32800,
    long: true, order: [3, 2, 1], end: { code: 1000, wasClean: true },
};

// A page is told no more, so that it finds out nothing of servers that are not for it: pages/refused_websocket.mjs.
const refused = { code: 1006, wasClean: false, events: ['error', 'close'] };
export const refusedWebSocket = { page: refused, sandbox: refused };
