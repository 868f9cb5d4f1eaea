'use strict';

const rpc = require('vscode-jsonrpc/node');

const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(process.stdin), new rpc.StreamMessageWriter(process.stdout));
// A handler of one method would get an array spread over its arguments.
connection.onRequest((method, params) =>
    method === 'echo' ? params : new rpc.ResponseError(rpc.ErrorCodes.MethodNotFound, method));
connection.onClose(() => process.exit(0));
connection.listen();
