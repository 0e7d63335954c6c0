import { crc32 } from 'node:zlib';

/**
 * A ZIP file without compression, byte for byte the same for the same members on every machine: members sorted by name, one fixed date
 * (1980-01-01 00:00, the format's zero), no extra fields, no attributes. Format: PKWARE APPNOTE 6.3, sections 4.3.7 (local header), 4.3.12
 * (central directory) and 4.3.16 (end record); method 0 (stored), names in printable ASCII. Range: up to 65,535 members, below 4 GiB.
 * Throws RangeError outside it.
 */
export interface ZipMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const VERSION = 10;
const STORED = 0;
const MIDNIGHT = 0;
/** Year 1980 + 0, month 1, day 1. */
const NEW_YEAR_1980 = (1 << 5) | 1;

export function storedZip(members: readonly ZipMember[]): Uint8Array {
  const sorted = [...members].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (sorted.length > 0xffff) throw new RangeError('too many members for one ZIP file');
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [i, { name, bytes }] of sorted.entries()) {
    if (!/^[\x21-\x7e]{1,255}$/.test(name) || sorted[i - 1]?.name === name)
      throw new RangeError('bad or repeated member name');
    const nameBytes = Buffer.from(name, 'latin1');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(0, 2); // flags
    common.writeUInt16LE(STORED, 4);
    common.writeUInt16LE(MIDNIGHT, 6);
    common.writeUInt16LE(NEW_YEAR_1980, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14); // compressed
    common.writeUInt32LE(bytes.length, 18); // uncompressed
    common.writeUInt16LE(nameBytes.length, 22);
    common.writeUInt16LE(0, 24); // extra field
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, bytes]);
    const tail = Buffer.alloc(14); // no comment, disk 0, no attributes
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([VERSION, 0]), common, tail, nameBytes]),
    );
    files.push(local);
    offset += local.length;
    if (offset > 0xffff_0000) throw new RangeError('too large for one ZIP file');
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(sorted.length, 8);
  end.writeUInt16LE(sorted.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}
