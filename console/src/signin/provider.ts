// SPDX-License-Identifier: Apache-2.0
// Signs in with authorization code and PKCE (RFC 7636) at the provider that the protected-resource metadata (RFC 9728)
// name. The provider publishes its own metadata by RFC 8414 or OpenID Connect Discovery.

import { isObject, type JsonObject } from '../mcp/messages';
import { challengeOf, randomText } from './random';

export interface ProtectedResource {
  resource: string;
  servers: string[];
  scopes: string[];
}

export interface Provider {
  issuer: string;
  authorize: string;
  token: string;
  register?: string;
  // RFC 9207: true if the provider names its issuer in each answer. The issuer must be this provider.
  namesIssuer: boolean;
  openId: boolean;
}

// Secrets and settings that are kept until the visitor returns from the provider. Without them the code is useless.
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
  clientId: string;
  provider: Provider;
  resource: string;
  redirect: string;
  page: string; // the view to return to
}

export interface Tokens {
  access: string;
  refresh?: string;
  expiresAt?: number; // milliseconds since 1970
}

type Fetch = typeof fetch;

// Returns the folder above the page's own folder: "/", or a prefix that a proxy adds, such as "/skills/".
export function folderOfServer(path = location.pathname): string {
  return path.replace(/[^/]*$/, '').replace(/console\/$/, '');
}

// RFC 9728 places the metadata at the root of the host. A proxy that serves everything below a prefix has them below
// that prefix.
function placesOfMetadata(endpoint: string, folder: string): string[] {
  const name = '.well-known/oauth-protected-resource';
  const below = endpoint.startsWith(folder) ? `/${endpoint.slice(folder.length)}` : endpoint;
  return [`/${name}${endpoint}`, `${folder}${name}${below}`, `${folder}${name}${endpoint}`, `${folder}${name}`, `/${name}`];
}

export async function protectedResource(endpoint: string, metadataUrl: string | undefined, fetcher: Fetch, folder = folderOfServer()): Promise<ProtectedResource | undefined> {
  const there = new URL(endpoint, location.origin);
  const places = placesOfMetadata(there.pathname, folder);
  // A challenge may name the address of the metadata, but only on this server. The page contacts no other host before
  // the visitor agrees.
  if (metadataUrl !== undefined) {
    const named = new URL(metadataUrl, location.origin);
    if (named.origin === location.origin) places.unshift(named.pathname);
  }
  for (const place of new Set(places)) {
    const found = await getJson(place, fetcher);
    const servers = texts(found?.['authorization_servers']);
    const resource = text(found?.['resource']) ?? there.href;
    // Ignore the metadata of another server on the same host, so that its provider is not asked.
    if (found && servers.length > 0 && !isNeighbour(resource, there)) return { resource, servers, scopes: texts(found['scopes_supported']) };
  }
  return undefined;
}

function isNeighbour(resource: string, endpoint: URL): boolean {
  const url = URL.canParse(resource) ? new URL(resource) : undefined;
  return url !== undefined && url.origin === endpoint.origin && url.pathname.replace(/\/$/, '') !== endpoint.pathname.replace(/\/$/, '');
}

const toRead = 'skills:read';

// Returns the scopes to ask for by default: those that the server has reported as missing, or else the scope for
// reading. If the server does not use that name, all scopes are asked for, because their names do not say what they are
// for.
export function scopesNeeded(offered: string[], challenged: string[]): string[] {
  if (challenged.length > 0) return challenged;
  return offered.includes(toRead) ? [toRead] : offered;
}

// Returns the addresses of an issuer's metadata, in the order of the MCP specification.
export function descriptionsOf(issuer: string): string[] {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, '');
  const places = [`${url.origin}/.well-known/oauth-authorization-server${path}`, `${url.origin}/.well-known/openid-configuration${path}`];
  if (path !== '') places.push(`${url.origin}${path}/.well-known/openid-configuration`);
  return places;
}

export async function discover(issuer: string, fetcher: Fetch): Promise<Provider> {
  if (!allowedAddress(issuer)) throw new Error(`The provider ${issuer} is not on https.`);
  for (const place of descriptionsOf(issuer)) {
    const found = await getJson(place, fetcher);
    if (found) return providerOf(issuer, found);
  }
  throw new Error(`The provider ${issuer} does not describe itself, or does not let this page read how (CORS).`);
}

export function providerOf(issuer: string, found: JsonObject): Provider {
  const said = text(found['issuer']);
  if (said !== issuer) throw new Error(`The description of ${issuer} is that of another issuer: ${said ?? 'it names none'}.`);
  const methods = texts(found['code_challenge_methods_supported']);
  if (!methods.includes('S256')) throw new Error(`The provider ${issuer} does not say that it supports PKCE with S256.`);
  const authorize = text(found['authorization_endpoint']);
  const token = text(found['token_endpoint']);
  if (!authorize || !token || !allowedAddress(authorize) || !allowedAddress(token)) throw new Error(`The provider ${issuer} names no authorization and token endpoints on https.`);
  const register = text(found['registration_endpoint']);
  return {
    issuer,
    authorize,
    token,
    ...(register && allowedAddress(register) ? { register } : {}),
    namesIssuer: found['authorization_response_iss_parameter_supported'] === true,
    openId: texts(found['scopes_supported']).includes('openid'),
  };
}

function allowedAddress(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname));
}

// Registers a client (RFC 7591) for a visitor who has no client id, and returns the new id.
export async function register(provider: Provider, redirect: string, fetcher: Fetch): Promise<string> {
  if (!provider.register) throw new Error('The provider registers no clients: a client id is needed.');
  const body = {
    client_name: 'skillhost console',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: redirect.startsWith('https:') ? 'web' : 'native',
  };
  const response = await fetcher(provider.register, { method: 'POST', credentials: 'omit', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const answer: unknown = await response.json().catch(() => undefined);
  const id = isObject(answer) ? text(answer['client_id']) : undefined;
  if (!response.ok || id === undefined) throw new Error(`The provider did not register this page: ${saidBy(answer, response.status)}`);
  return id;
}

export async function begin(
  provider: Provider,
  options: { clientId: string; resource: string; scopes: string[]; redirect: string; page: string; popup: boolean },
): Promise<{ pending: Pending; address: string }> {
  const pending: Pending = {
    state: `${options.popup ? 'window' : 'page'}.${randomText()}`,
    nonce: randomText(),
    verifier: randomText(48),
    clientId: options.clientId,
    provider,
    resource: options.resource,
    redirect: options.redirect,
    page: options.page,
  };
  const scopes = new Set(options.scopes);
  if (provider.openId) scopes.add('openid');
  const address = new URL(provider.authorize);
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: pending.clientId,
    redirect_uri: pending.redirect,
    scope: [...scopes].join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await challengeOf(pending.verifier),
    code_challenge_method: 'S256',
    resource: pending.resource,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== '') address.searchParams.set(name, value);
  return { pending, address: address.href };
}

// Returns the code from the answer. Throws the reason if the answer does not belong to this sign-in.
export function codeFrom(answer: URLSearchParams, pending: Pending): string {
  if (answer.get('state') !== pending.state) throw new Error('The answer of the provider does not belong to this sign-in (state).');
  const issuer = answer.get('iss');
  if (issuer !== null ? issuer !== pending.provider.issuer : pending.provider.namesIssuer) throw new Error('The answer comes from another provider than was asked (iss).');
  const error = answer.get('error');
  if (error !== null) throw new Error(`The provider refused: ${answer.get('error_description') ?? error}`);
  const code = answer.get('code');
  if (!code) throw new Error('The provider answered without a code.');
  return code;
}

export async function redeem(code: string, pending: Pending, fetcher: Fetch): Promise<Tokens> {
  return tokensFrom(pending, { grant_type: 'authorization_code', code, redirect_uri: pending.redirect, code_verifier: pending.verifier }, fetcher, pending.nonce);
}

export async function refresh(refreshToken: string, pending: Pending, fetcher: Fetch): Promise<Tokens> {
  const tokens = await tokensFrom(pending, { grant_type: 'refresh_token', refresh_token: refreshToken }, fetcher);
  return { refresh: refreshToken, ...tokens };
}

async function tokensFrom(pending: Pending, parameters: Record<string, string>, fetcher: Fetch, nonce?: string): Promise<Tokens> {
  const body = new URLSearchParams({ ...parameters, client_id: pending.clientId, resource: pending.resource });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };
  const response = await fetcher(pending.provider.token, { method: 'POST', credentials: 'omit', headers, body: body.toString() });
  const answer: unknown = await response.json().catch(() => undefined);
  const access = isObject(answer) ? text(answer['access_token']) : undefined;
  if (!response.ok || !isObject(answer) || access === undefined) throw new Error(`The provider gave no token: ${saidBy(answer, response.status)}`);
  checkIdToken(text(answer['id_token']), nonce, pending);
  const seconds = Number(answer['expires_in']);
  const refreshToken = text(answer['refresh_token']);
  return {
    access,
    ...(refreshToken === undefined ? {} : { refresh: refreshToken }),
    ...(Number.isFinite(seconds) && seconds > 0 ? { expiresAt: Date.now() + seconds * 1000 } : {}),
  };
}

// The id token came over TLS from the token endpoint, so its signature need not be checked (OpenID Connect Core,
// 3.1.3.7). The nonce proves that it belongs to this sign-in.
function checkIdToken(token: string | undefined, nonce: string | undefined, pending: Pending): void {
  if (token === undefined || nonce === undefined) return;
  const claims = claimsOf(token);
  if (claims?.['nonce'] !== nonce) throw new Error('The token belongs to another sign-in (nonce).');
  if (claims['iss'] !== pending.provider.issuer) throw new Error('The token comes from another provider (iss).');
  const audience = claims['aud'];
  if (audience !== pending.clientId && !(Array.isArray(audience) && audience.includes(pending.clientId))) throw new Error('The token is for another client (aud).');
}

export function claimsOf(token: string): JsonObject | undefined {
  const part = token.split('.')[1];
  if (part === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined; // an opaque token has no claims
  }
}

async function getJson(address: string, fetcher: Fetch): Promise<JsonObject | undefined> {
  try {
    const response = await fetcher(address, { credentials: 'omit', headers: { Accept: 'application/json' } });
    if (!response.ok) return undefined;
    const found: unknown = await response.json();
    return isObject(found) ? found : undefined;
  } catch {
    return undefined; // missing or unreadable: the caller tries the next address
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function saidBy(answer: unknown, status: number): string {
  if (isObject(answer)) return text(answer['error_description']) ?? text(answer['error']) ?? `HTTP ${status}`;
  return `HTTP ${status}`;
}
