// What a page of an origin that is allowed may do with a server's methods.

import { answersOf, endOf, messagesOf, newRequest, post } from './requests.mjs';

// Of a call that takes longer than anybody waits, so that a first progress has come while the answer was under way.
async function abandonEndless(url) {
    const leaving = new AbortController();
    const messages = messagesOf(await post(url, newRequest('count', { to: 1_000_000, ms: 20 }), {}, leaving.signal));
    const { value: first } = await messages.next();
    leaving.abort();
    return { first: first.params.value, end: await endOf(messages) };
}

export default async function useServer({ url }) {
    const [added] = await answersOf(await post(url, newRequest('sum', [2, 40])));
    const counted = await answersOf(await post(url, newRequest('count', { to: 3, ms: 10 })));
    const abandoned = await abandonEndless(url);
    const asText = await post(url, newRequest('sum', [1]), { 'Content-Type': 'text/plain' });
    return {
        added: added.result,
        counted: counted.map(({ params, result }) => params?.value ?? result.counted),
        abandoned,
        asText: asText.status,
    };
}
