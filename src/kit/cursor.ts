import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson, sha256 } from './json.ts';
import { refuseArgument } from './refusal.ts';

/**
 * Page cursors: an opaque pointer to the last row of a page.
 * Guarantees: a cursor is accepted only by the tool and with the filters it was made for, and only unaltered (HMAC-SHA-256, 128 bits kept);
 * anything else is INVALID_ARGUMENT, with one text for every cause. It holds no secret: base64url hides nothing.
 * Leaves to others: the sort being total, and comparing rows with the key.
 */
export type SortKey = readonly (string | number | null)[];

/** Where a page ended. `window` pins the window of the first page, because a default window ends at another instant on each call. */
export interface PagePosition {
  readonly key: SortKey;
  readonly window?: { readonly from: string; readonly to: string };
}

export interface Cursors {
  /** `filters`: every argument that selects or orders rows, as the caller gave them; not `limit`, not `cursor`. */
  encode(tool: string, filters: unknown, position: PagePosition): string;
  decode(tool: string, filters: unknown, cursor: string): PagePosition;
}

declare module './context.ts' {
  interface Resources {
    cursors: Cursors;
  }
}

const MAC_BYTES = 16;
const HASH_CHARS = 32;

/** `secret`: at least 16 bytes, the same on every replica; the signing key is derived from it, so the secret may serve other purposes. */
export function cursors(secret: string | Uint8Array): Cursors {
  const material = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret;
  if (material.byteLength < 16) throw new RangeError('The cursor secret must have at least 16 bytes.');
  const key = Buffer.from(hkdfSync('sha256', material, '', 'penstock page cursor v1', 32));
  const mac = (body: Buffer) => createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES);
  const hash = (tool: string, filters: unknown) => sha256(canonicalJson([tool, filters])).slice(0, HASH_CHARS);

  return Object.freeze({
    encode(tool: string, filters: unknown, position: PagePosition): string {
      const body = Buffer.from(
        JSON.stringify([
          hash(tool, filters),
          position.key,
          position.window ? [position.window.from, position.window.to] : null,
        ]),
        'utf8',
      );
      return Buffer.concat([mac(body), body]).toString('base64url');
    },
    decode(tool: string, filters: unknown, cursor: string): PagePosition {
      const bytes = Buffer.from(cursor, 'base64url');
      const body = bytes.subarray(MAC_BYTES);
      // Comparing the re-encoding refuses the spellings that the lenient decoder would take for the same bytes.
      const genuine =
        bytes.length > MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(body));
      if (!genuine) throw refused();
      const [filterHash, position, window] = JSON.parse(body.toString('utf8')) as [
        string,
        SortKey,
        [string, string] | null,
      ];
      if (filterHash !== hash(tool, filters)) throw refused();
      return window ? { key: position, window: { from: window[0], to: window[1] } } : { key: position };
    },
  });
}

const refused = () =>
  refuseArgument(
    'cursor',
    'cursor',
    'This cursor does not belong to this tool and these filters. Start again without it.',
  );
