// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { begin, codeFrom, descriptionsOf, discover, folderOfServer, protectedResource, providerOf, redeem, scopesNeeded, type Pending, type Provider } from '../src/signin/provider';
import { challengeOf } from '../src/signin/random';

const issuer = 'https://id.example/tenant';
const description = {
  issuer,
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid'],
  authorization_response_iss_parameter_supported: true,
};
const provider: Provider = providerOf(issuer, description);

function answersOf(answers: Record<string, unknown>): { fetcher: typeof fetch; asked: { place: string; body: string }[] } {
  const asked: { place: string; body: string }[] = [];
  const fetcher = (async (place: unknown, init?: RequestInit) => {
    asked.push({ place: String(place), body: String(init?.body ?? '') });
    const answer = answers[String(place)];
    return answer === undefined ? new Response('', { status: 404 }) : new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
  }) as typeof fetch;
  return { fetcher, asked };
}

const idToken = (claims: object): string => `e30.${btoa(JSON.stringify(claims)).replace(/=+$/, '')}.x`;

async function pendingOf(): Promise<{ pending: Pending; address: URL }> {
  const { pending, address } = await begin(provider, { clientId: 'page', resource: 'https://skills.example/mcp', scopes: ['skills:read'], redirect: 'https://skills.example/console/', page: '#/skills', popup: false });
  return { pending, address: new URL(address) };
}

describe('signing in', () => {
  it('finds the metadata of this server alone', async () => {
    const { fetcher, asked } = answersOf({ '/.well-known/oauth-protected-resource/mcp': { resource: 'http://127.0.0.1/mcp', authorization_servers: [issuer], scopes_supported: ['skills:read'] } });
    expect(await protectedResource('/mcp', 'https://evil.example/metadata', fetcher)).toEqual({ resource: 'http://127.0.0.1/mcp', servers: [issuer], scopes: ['skills:read'] });
    expect(asked.map((one) => one.place)).toEqual(['/.well-known/oauth-protected-resource/mcp']);
  });

  it.each([
    ['/console/', '/'],
    ['/skills/console/', '/skills/'],
    ['/skills/console/index.html', '/skills/'],
  ])('%s is served from %s', (path, folder) => {
    expect(folderOfServer(path)).toBe(folder);
  });

  it('finds the metadata below the path of a proxy, and takes none of a neighbour', async () => {
    const mine = { resource: `${location.origin}/skills/mcp`, authorization_servers: [issuer], scopes_supported: [] };
    const { fetcher, asked } = answersOf({ '/skills/.well-known/oauth-protected-resource/mcp': mine });
    expect(await protectedResource('/skills/mcp', undefined, fetcher, '/skills/')).toMatchObject({ resource: mine.resource });
    expect(asked.map((one) => one.place)).toEqual(['/.well-known/oauth-protected-resource/skills/mcp', '/skills/.well-known/oauth-protected-resource/mcp']);
    const other = answersOf({ '/.well-known/oauth-protected-resource': { resource: `${location.origin}/other`, authorization_servers: ['https://evil.example'] } });
    expect(await protectedResource('/skills/mcp', undefined, other.fetcher, '/skills/')).toBeUndefined();
  });

  it.each([
    [['skills:read', 'skills:manage', 'skills:review'], [], ['skills:read']],
    [['skills:read', 'skills:manage'], ['skills:manage'], ['skills:manage']], // the server has named the missing scopes
    [['api.read', 'api.admin'], [], ['api.read', 'api.admin']],
    [[], [], []],
  ])('of %j and a challenge for %j it asks for %j', (offered, challenged, needed) => {
    expect(scopesNeeded(offered, challenged)).toEqual(needed);
  });

  it('looks where RFC 8414 and OpenID Connect say', async () => {
    expect(descriptionsOf(issuer)).toEqual(['https://id.example/.well-known/oauth-authorization-server/tenant', 'https://id.example/.well-known/openid-configuration/tenant', 'https://id.example/tenant/.well-known/openid-configuration']);
    const { fetcher } = answersOf({ 'https://id.example/tenant/.well-known/openid-configuration': description });
    expect((await discover(issuer, fetcher)).token).toBe('https://id.example/token');
  });

  it.each([
    ['another issuer', { ...description, issuer: 'https://evil.example' }],
    ['no PKCE', { ...description, code_challenge_methods_supported: ['plain'] }],
    ['an endpoint without TLS', { ...description, token_endpoint: 'http://id.example/token' }],
    ['no endpoint', { ...description, authorization_endpoint: undefined }],
  ])('refuses %s', (_what, found) => {
    expect(() => providerOf(issuer, JSON.parse(JSON.stringify(found)) as never)).toThrow();
  });

  it('asks for a code with the challenge of its verifier, for this resource', async () => {
    const { pending, address } = await pendingOf();
    expect(address.origin + address.pathname).toBe('https://id.example/authorize');
    expect(address.searchParams.get('code_challenge')).toBe(await challengeOf(pending.verifier));
    expect(address.searchParams.get('code_challenge_method')).toBe('S256');
    expect(address.searchParams.get('resource')).toBe('https://skills.example/mcp');
    expect(address.searchParams.get('scope')).toBe('skills:read openid');
    expect(address.href).not.toContain(pending.verifier);
  });

  it('takes a code only as the answer to its own question', async () => {
    const { pending } = await pendingOf();
    const good = { state: pending.state, iss: issuer, code: 'c' };
    expect(codeFrom(new URLSearchParams(good), pending)).toBe('c');
    expect(() => codeFrom(new URLSearchParams({ ...good, state: 'other' }), pending)).toThrow(/state/);
    expect(() => codeFrom(new URLSearchParams({ ...good, iss: 'https://evil.example' }), pending)).toThrow(/iss/);
    expect(() => codeFrom(new URLSearchParams({ state: pending.state, code: 'c' }), pending)).toThrow(/iss/);
    expect(() => codeFrom(new URLSearchParams({ state: pending.state, iss: issuer, error: 'access_denied', error_description: 'not you' }), pending)).toThrow(/not you/);
  });

  it('redeems the code with its verifier, and checks the nonce', async () => {
    const { pending } = await pendingOf();
    const token = (nonce: string): unknown => ({ access_token: 't', expires_in: 60, refresh_token: 'r', id_token: idToken({ nonce, iss: issuer, aud: 'page' }) });
    const good = answersOf({ 'https://id.example/token': token(pending.nonce) });
    expect(await redeem('c', pending, good.fetcher)).toMatchObject({ access: 't', refresh: 'r' });
    expect(new URLSearchParams(good.asked[0]?.body).get('code_verifier')).toBe(pending.verifier);
    await expect(redeem('c', pending, answersOf({ 'https://id.example/token': token('other') }).fetcher)).rejects.toThrow(/nonce/);
    await expect(redeem('c', pending, answersOf({}).fetcher)).rejects.toThrow(/no token/);
  });

  it('has the challenge of RFC 7636, appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });
});
