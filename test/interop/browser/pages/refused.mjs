// All the ways in which a page sends a request to a server of another origin, whether or not that wants it. `body` is
// the text of a request that does something.

const outcome = (promise) => promise.then(({ type }) => type, ({ name }) => name);

const fetchAs = (url, mode, type, body) =>
    outcome(fetch(url, { method: 'POST', mode, body: new Blob([body], { type }), headers: { Accept: '*/*' } }));

// What browsers put between the two halves of the text, and at its end, is still JSON.
async function sendForm(url, body) {
    const frame = Object.assign(document.createElement('iframe'), { name: 'answer' });
    const form = Object.assign(document.createElement('form'), {
        action: url, method: 'POST', enctype: 'text/plain', target: 'answer',
    });
    form.append(Object.assign(document.createElement('input'), {
        name: `${body.slice(0, -1)},"pad":"`, value: '"}',
    }));
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => { frame.onload = () => resolve('loaded'); });
    form.submit();
    return loaded;
}

// A page of no origin. Its script ends with what becomes of its request, as a message to this page.
async function sendFromSandbox(url, body) {
    const asked = JSON.stringify({ method: 'POST', mode: 'no-cors', body });
    const script = `fetch(${JSON.stringify(url)}, ${asked}).then(({ type }) => type, ({ name }) => name)
        .then((told) => parent.postMessage(told, '*'))`;
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    frame.srcdoc = `<script>${script}</script>`;
    const told = new Promise((resolve) => { window.onmessage = ({ data }) => resolve(data); });
    document.body.append(frame);
    return told;
}

function listen(url) {
    const source = new EventSource(url);
    return new Promise((resolve) => {
        source.onopen = () => resolve('open');
        source.onerror = () => resolve('error');
    }).finally(() => source.close());
}

export default async function attempt({ url, body }) {
    return {
        json: await fetchAs(url, 'cors', 'application/json', body),
        simple: await fetchAs(url, 'cors', 'text/plain', body),
        blind: await fetchAs(url, 'no-cors', 'text/plain', body),
        blindJson: await fetchAs(url, 'no-cors', 'application/json', body),
        form: await sendForm(url, body),
        sandbox: await sendFromSandbox(url, body),
        events: await listen(url),
        beacon: navigator.sendBeacon(url, body),
    };
}
