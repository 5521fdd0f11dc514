// SPDX-License-Identifier: Apache-2.0
// Runs a certified OpenID provider on this machine. It reads commands from stdin, one per line:
//   rotate   uses new signing keys from now on; the provider's address stays
// It prints one line of JSON when it listens, and one for each command. It ends when stdin does.
import { createInterface } from 'node:readline';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const lifetime = Number(process.argv[2] ?? 60); // seconds that every token is valid
const scope = 'skills:read skills:manage';
const signedResource = 'https://skills.example.org/mcp';

async function key(alg, kid) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

async function provider(issuer, generation) {
  const keys = [await key('RS256', `rsa-${generation}`), await key('ES256', `curve-${generation}`),
    await key('EdDSA', `edwards-${generation}`)];
  const client = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [], scope };
  return new Provider(issuer, {
    jwks: { keys },
    clients: [
      { ...client, client_id: 'service', client_secret: 'service-secret' },
      { ...client, client_id: 'skill host', client_secret: 'canary/secret+of=host&', token_endpoint_auth_method: 'client_secret_basic' },
      { ...client, client_id: 'posting', client_secret: 'canary-secret-posted', token_endpoint_auth_method: 'client_secret_post' },
    ],
    scopes: scope.split(' '),
    ttl: { ClientCredentials: lifetime },
    enabledJWA: { clientAuthSigningAlgValues: ['RS256'] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: (ctx, resource) => ({
          scope, audience: resource, accessTokenTTL: lifetime,
          accessTokenFormat: resource.startsWith(signedResource) ? 'jwt' : 'opaque',
          jwt: { sign: { alg: new URL(resource).searchParams.get('alg') ?? 'RS256' } },
        }),
      },
    },
  });
}

let generation = 1;
let answering;
const server = createServer((request, response) => answering(request, response));
server.listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  answering = (await provider(issuer, generation)).callback();
  console.log(JSON.stringify({ issuer }));
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'rotate') answering = (await provider(issuer, ++generation)).callback();
    console.log(JSON.stringify({ done: line }));
  }
  server.closeAllConnections();
  server.close();
});
