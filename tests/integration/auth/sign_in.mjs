// SPDX-License-Identifier: Apache-2.0
// Runs a certified OpenID provider for signing in: dynamic registration, authorization code with PKCE, and refresh
// tokens that work once. Every visitor is signed in as ada and consents to everything. Two programs sign in as
// themselves (client credentials), each in the way that it is registered for.
//   node sign_in.mjs LIFETIME_SECONDS
// It prints one line of JSON when it listens. It ends when stdin does.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const lifetime = Number(process.argv[2] ?? 60);
const scope = 'skills:read skills:manage';

async function create(issuer) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const program = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [], scope };
  const provider = new Provider(issuer, {
    clients: [
      { ...program, client_id: 'robot arm', client_secret: 'canary/secret+of=robot&', token_endpoint_auth_method: 'client_secret_basic' },
      { ...program, client_id: 'poster', client_secret: 'canary-secret-of-poster', token_endpoint_auth_method: 'client_secret_post' },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    scopes: ['openid', 'offline_access', ...scope.split(' ')],
    ttl: { AccessToken: lifetime, ClientCredentials: lifetime, AuthorizationCode: 60, Grant: 3600, Interaction: 600, RefreshToken: 3600, Session: 3600, IdToken: 60 },
    findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (ctx, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['cookies of a test'] },
    rotateRefreshToken: true,
    clientBasedCORS: () => true, // a page in a browser may be the client
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => ({
          scope, audience: resource, accessTokenTTL: lifetime, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  const callback = provider.callback();
  return async (request, response) => {
    if (!request.url.startsWith('/interaction/')) return callback(request, response);
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: 'ada' } }, { mergeWithLastSubmission: false });
    const grant = (grantId && await provider.Grant.find(grantId)) || new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    if (prompt.details.missingOIDCScope) grant.addOIDCScope(prompt.details.missingOIDCScope.join(' '));
    for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {}))
      grant.addResourceScope(resource, scopes.join(' '));
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true });
  };
}

let answering;
const server = createServer((request, response) => answering(request, response));
server.listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  answering = await create(issuer);
  console.log(JSON.stringify({ issuer }));
  process.stdin.resume();
  process.stdin.on('end', () => { server.closeAllConnections(); server.close(); });
});
