import { isUtf8 } from 'node:buffer';

/**
 * Reads a request body as JSON, strictly.
 * Guarantees: a value that comes back holds no duplicate member, no member named `__proto__`, `constructor` or `prototype`, at most 64 levels and at most
 * 100,000 members and elements, and came from valid UTF-8 without a byte order mark; nothing recursive ran over the text, so no nesting can overflow the stack.
 * Leaves to others: the size of the body (the HTTP layer) and what the value means.
 */
export const MAX_DEPTH = 64;
export const MAX_MEMBERS = 100_000;

export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  /** `syntax` is no JSON at all (-32700); `shape` is JSON that is refused for its form (-32600). */
  | {
      readonly ok: false;
      readonly kind: 'syntax' | 'shape';
      readonly reason: BodyReason;
      readonly message: string;
    };
export type BodyReason =
  | 'empty'
  | 'byte_order_mark'
  | 'invalid_utf8'
  | 'invalid_json'
  | 'duplicate_member'
  | 'forbidden_member'
  | 'too_deep'
  | 'too_many_members';

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

const syntax = (reason: BodyReason, message: string): JsonBody => ({ ok: false, kind: 'syntax', reason, message });
const shape = (reason: BodyReason, message: string): JsonBody => ({ ok: false, kind: 'shape', reason, message });

export function parseJsonBody(bytes: Uint8Array): JsonBody {
  if (bytes.length === 0) return syntax('empty', 'Parse error: the request body is empty');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return syntax('byte_order_mark', 'Parse error: the request body starts with a byte order mark');
  if (!isUtf8(bytes)) return syntax('invalid_utf8', 'Parse error: the request body is not valid UTF-8');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const refused = scan(text);
  if (refused) return refused;
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return syntax('invalid_json', 'Parse error: the request body is not valid JSON');
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Index of the quote that closes the string opened at `open`, or -1. */
function closingQuote(text: string, open: number): number {
  let at = open;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return -1;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    // The run of backslashes cannot reach before the opening quote, so its parity alone decides.
    if (slashes % 2 === 0) return at;
  }
}

/**
 * One pass over the text with an explicit stack. It looks only at what it must refuse; whether the text is JSON at all is JSON.parse's verdict afterwards,
 * so on text that is no JSON it may stop early or say nothing.
 */
function scan(text: string): JsonBody | null {
  const stack: (Set<string> | null)[] = [];
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = closingQuote(text, at);
      if (end < 0) return null;
      if (text.charCodeAt(skipSpace(text, end + 1)) === COLON) {
        const key = memberName(text.slice(at, end + 1));
        const names = stack.at(-1);
        if (key === null || !names) return null;
        if (FORBIDDEN.has(key))
          return shape('forbidden_member', 'Invalid Request: a member name of the body is not allowed');
        if (names.has(key)) return shape('duplicate_member', 'Invalid Request: the body has a duplicate member');
        names.add(key);
        members++;
      }
      at = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (stack.length === MAX_DEPTH)
        return shape('too_deep', `Invalid Request: the body is nested deeper than ${MAX_DEPTH} levels`);
      stack.push(code === OPEN_OBJECT ? new Set() : null);
      if (code === OPEN_ARRAY && text.charCodeAt(skipSpace(text, at + 1)) !== CLOSE_ARRAY) members++;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      stack.pop();
    } else if (code === COMMA && stack.at(-1) === null) {
      members++;
    }
    if (members > MAX_MEMBERS)
      return shape('too_many_members', `Invalid Request: the body has more than ${MAX_MEMBERS} members and elements`);
  }
  return null;
}

/** The name as JSON.parse will see it, so that `"__proto\u005f_"` is found too. Null when the literal is no JSON string. */
function memberName(literal: string): string | null {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}
