// A page that opens a WebSocket to a server which does not know its origin, and the same of no origin, in a frame.

function attempt(url) {
    const socket = new WebSocket(url, 'jsonrpc');
    const events = [];
    socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"add","params":[20,22]}');
    for (const name of ['open', 'message', 'error'])
        socket.addEventListener(name, () => events.push(name));
    return new Promise((resolve) => {
        socket.onclose = ({ code, wasClean }) => resolve({ code, wasClean, events: [...events, 'close'] });
    });
}

async function attemptFromSandbox(url) {
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    frame.srcdoc = `<script>(${attempt})(${JSON.stringify(url)}).then((told) => parent.postMessage(told, '*'))</script>`;
    const told = new Promise((resolve) => { window.onmessage = ({ data }) => resolve(data); });
    document.body.append(frame);
    return told;
}

export default async ({ url }) => ({ page: await attempt(url), sandbox: await attemptFromSandbox(url) });
