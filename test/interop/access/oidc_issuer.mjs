// oidc-provider as the issuer of tokens: an authorization server on loopback whose access tokens are JWTs (RFC 9068),
// for clients that act for themselves. Its keys can be exchanged while it runs.

import { generateKeyPair } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const kinds = {
    RS256: ['rsa', { modulusLength: 2048 }],
    ES256: ['ec', { namedCurve: 'P-256' }],
    EdDSA: ['ed25519', {}],
    Ed25519: ['ed25519', {}],
};

// A private key as a JWK.
export async function makeKey(alg, kid) {
    const { privateKey } = await promisify(generateKeyPair)(...kinds[alg]);
    return { ...privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
}

export const secret = 'of-a-client-that-lives-as-long-as-a-test';

export class OidcIssuer {
    #Provider;
    #server = createServer((asked, answer) => this.#callback(asked, answer));
    #callback;
    #signs;

    // `keys`: the private ones, see `publish`.
    static async start(packages, clients, keys) {
        const resolve = createRequire(join(packages, 'package.json')).resolve;
        const issuer = new OidcIssuer();
        issuer.#Provider = (await import(pathToFileURL(resolve('oidc-provider')))).default;
        await new Promise((done) => issuer.#server.listen(0, '127.0.0.1', done));
        issuer.url = `http://127.0.0.1:${issuer.#server.address().port}`;
        issuer.clients = clients;
        issuer.publish(keys);
        return issuer;
    }

    // From now on it publishes these keys, and signs by the last one unless an algorithm is asked for.
    publish(keys) {
        const key = keys.at(-1);
        this.#signs = { alg: key.alg, kid: key.kid };
        const getResourceServerInfo = (_, resource) => ({
            audience: resource, scope: this.grants, accessTokenFormat: 'jwt', jwt: { sign: this.#signs },
        });
        const provider = new this.#Provider(this.url, {
            clients: this.clients.map((id) => ({
                client_id: id, client_secret: secret, grant_types: ['client_credentials'], redirect_uris: [],
                response_types: [], id_token_signed_response_alg: key.alg,
            })),
            formats: { customizers: { jwt: (_, token, jwt) => this.change?.(jwt) } },
            features: {
                clientCredentials: { enabled: true },
                devInteractions: { enabled: false },
                resourceIndicators: {
                    enabled: true, getResourceServerInfo, defaultResource: () => this.usualResource,
                },
            },
            jwks: { keys },
            scopes: ['files:read', 'files:write'],
            ttl: { ClientCredentials: () => 600 },
        });
        this.#callback = provider.callback();
    }

    // The scopes that clients can have.
    grants = 'files:read files:write';

    // Whose tokens are for those who name none.
    usualResource;

    // Changes the header and the payload of each token to come.
    change;

    // A token for a client, as it gets it.
    async token(client, { scope = 'files:read', resource, alg } = {}) {
        const before = this.#signs;
        if (alg)
            this.#signs = { alg };
        const answer = await fetch(`${this.url}/token`, {
            method: 'POST',
            headers: { Authorization: `Basic ${btoa(`${client}:${secret}`)}` },
            body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
        });
        this.#signs = before;
        const body = await answer.json();
        if (!answer.ok)
            throw new Error(`no token: ${JSON.stringify(body)}`);
        return body.access_token;
    }

    stop() {
        this.#server.close();
        this.#server.closeAllConnections();
    }

    // Serves again where it has before, as soon as no connection of somebody else has that port.
    async resume() {
        for (;;) {
            const listening = new Promise((resolve) => {
                this.#server.once('listening', () => resolve(true)).once('error', () => resolve(false));
            });
            this.#server.listen(new URL(this.url).port, '127.0.0.1');
            if (await listening)
                return;
            await sleep(100);
        }
    }
}
