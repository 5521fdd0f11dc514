// SPDX-License-Identifier: Apache-2.0
// Types for the messages of MCP 2026-07-28 that this page uses. The code that reads a message checks it; these types do
// not.

export const protocolVersion = '2026-07-28';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface ErrorObject {
  code: number;
  message: string;
  data?: Json;
}

export interface Notification {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

export interface Response {
  jsonrpc: '2.0';
  id: number | string | null;
  result?: JsonObject;
  error?: ErrorObject;
}

export type Message = Notification | Response;

export interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
}

export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  _meta?: JsonObject;
}

export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

export interface SkillEntry {
  uri: string;
  frontmatter: JsonObject;
  resources: { uri: string; digest: string; size: number }[] | 'dynamic';
  _meta?: JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isNotification(message: Message): message is Notification {
  return 'method' in message;
}
