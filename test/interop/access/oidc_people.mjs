// oidc-provider as the authorization server of people, who log in by a page. The page has a script that submits its
// form at once, so that a browser does what a person would. Programs register themselves, or are "partyline".

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeKey, secret } from './oidc_issuer.mjs';

const page = (url) => `<!doctype html><title>Log in</title>
<form method="post" action="${url}"><button>I am alice, and I agree</button></form>
<script>document.querySelector('button').click()</script>`;

export class OidcPeople {
    grants = ['files:read', 'files:write']; // the scopes that people agree to
    lifetime = 600; // of access tokens, in seconds
    asked = []; // the parameters of each page that was opened
    granted = []; // the grant types of each token
    #server = createServer((request, response) => this.#serve(request, response).catch((failed) => {
        response.writeHead(500).end(String(failed));
    }));
    #provider;

    static async start(packages) {
        const resolve = createRequire(join(packages, 'package.json')).resolve;
        const { default: Provider } = await import(pathToFileURL(resolve('oidc-provider')));
        const issuer = new OidcPeople();
        await new Promise((done) => issuer.#server.listen(0, '127.0.0.1', done));
        issuer.url = `http://127.0.0.1:${issuer.#server.address().port}`;
        issuer.#provide(Provider, await makeKey('ES256', 'one'));
        return issuer;
    }

    #provide(Provider, key) {
        const getResourceServerInfo = (_, resource) => ({
            audience: resource, scope: 'files:read files:write', accessTokenFormat: 'jwt',
            accessTokenTTL: this.lifetime, jwt: { sign: { alg: key.alg, kid: key.kid } },
        });
        const known = { response_types: ['code'], id_token_signed_response_alg: key.alg };
        this.#provider = new Provider(this.url, {
            clients: [{
                ...known, client_id: 'partyline', token_endpoint_auth_method: 'none', application_type: 'native',
                grant_types: ['authorization_code', 'refresh_token'], redirect_uris: ['http://127.0.0.1/callback'],
            }, {
                ...known, client_id: 'robot', client_secret: secret, grant_types: ['client_credentials'],
                redirect_uris: [], response_types: [],
            }],
            clientDefaults: { id_token_signed_response_alg: key.alg },
            features: {
                clientCredentials: { enabled: true },
                devInteractions: { enabled: false },
                registration: { enabled: true },
                resourceIndicators: {
                    enabled: true, getResourceServerInfo, defaultResource: () => undefined, useGrantedResource: () => true,
                },
            },
            findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
            interactions: { url: (_, { uid }) => `/interaction/${uid}` },
            issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
            jwks: { keys: [key] },
            pkce: { required: () => true },
            scopes: ['openid', 'offline_access', 'files:read', 'files:write'],
        });
        this.#provider.on('grant.success', ({ oidc }) => this.granted.push(oidc.params.grant_type));
        this.#provider.on('authorization.accepted', ({ oidc }) => this.asked.push({ ...oidc.params }));
    }

    async #serve(request, response) {
        if (!request.url.startsWith('/interaction/'))
            return this.#provider.callback()(request, response);
        if (request.method === 'GET')
            return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page(request.url));
        const details = await this.#provider.interactionDetails(request, response);
        const result = details.prompt.name === 'login'
            ? { login: { accountId: 'alice' } } : { consent: { grantId: await this.#agree(details) } };
        return this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    }

    async #agree({ params, prompt, session }) {
        const grant = new this.#provider.Grant({ accountId: session.accountId, clientId: params.client_id });
        if (prompt.details.missingOIDCScope)
            grant.addOIDCScope(prompt.details.missingOIDCScope.join(' '));
        for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {})) {
            grant.addResourceScope(resource, scopes.filter((scope) => this.grants.includes(scope)).join(' '));
            grant.rejectResourceScope(resource, scopes.filter((scope) => !this.grants.includes(scope)).join(' '));
        }
        return grant.save();
    }

    stop() {
        this.#server.close();
        this.#server.closeAllConnections();
    }
}
