// Pages of origins that are not allowed ask all the same: nothing comes of it.

import assert from 'node:assert/strict';
import { post } from './pages/requests.mjs';

// What the page is told: that it failed, or nothing; and of a frame that it shows something, which it cannot read.
const told = {
    json: 'TypeError', simple: 'TypeError', blind: 'opaque', blindJson: 'opaque', form: 'loaded', sandbox: 'opaque',
    events: 'error', beacon: true,
};

// Of the request with JSON, which asks first, no more than the question arrives.
const refused = { 'GET 403': 1, 'OPTIONS 403': 1, 'POST 403': 6 };

async function seeRefusal(visits, origin, server, url, body) {
    const found = await visits.visit(origin, 'refused', { url, body: JSON.stringify(body) });
    assert.deepEqual(found, told);
    await server.sees(refused);
}

// `allowed` is the origin that may ask. The `effect` is that of a request, as `body` and `headers`; `hasHappened()`
// resolves with whether that has been done.
export async function seeRefusals(visits, allowed, server, url, { body, headers, hasHappened }) {
    const otherPort = await visits.openOrigin();
    const otherSite = allowed.replace('127.0.0.1', 'localhost');
    for (const origin of [otherPort, otherSite])
        await seeRefusal(visits, origin, server, url, body);
    assert.equal(await hasHappened(), false);
    // Asked by a program, the same is done: so it would have been seen.
    const response = await post(url, body, headers);
    assert.equal(response.status, 200, await response.text());
    assert.equal(await hasHappened(), true);
}
