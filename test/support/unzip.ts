/** Reads a ZIP of stored members through its central directory, in directory order; independent of the writer under test. */
export function unzipStored(zip: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(zip);
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, Uint8Array>();
  for (let i = 0, at = bytes.readUInt32LE(end + 16); i < count; i++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('no central directory entry');
    const size = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString('latin1');
    if (bytes.readUInt32LE(local) !== 0x04034b50) throw new Error('no local header');
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files.set(name, bytes.subarray(start, start + size));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}
