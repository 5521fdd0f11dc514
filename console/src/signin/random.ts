// SPDX-License-Identifier: Apache-2.0
// Makes random values and digests in base64url (RFC 7636).

export function base64Url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export function randomText(length = 32): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(length)));
}

export async function challengeOf(verifier: string): Promise<string> {
  // Browsers offer digests only on https and on loopback. Elsewhere signing in would not be safe either.
  if (!globalThis.crypto?.subtle) throw new Error('Signing in with a provider needs https, or this machine itself.');
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}
