import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";
import { errors } from "./errors.ts";

/** A file of an archive: its path, with slashes, and its content, some at a time. */
export interface ZipEntry {
  readonly name: string;
  readonly content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;
/** Names are UTF-8, and sizes come after the content. */
const FLAGS = 0x0808;
const DEFLATE = 8;

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * The bytes of a ZIP archive, some at a time: little of it is in memory. An archive may have any number of entries and bytes, an
 * entry at most 4 GiB. @throws FW_PERSONAL_ZIP for a larger one
 */
export async function* zip(entries: AsyncIterable<ZipEntry>, at = new Date()): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  const stamp = dosTime(at);
  let offset = 0;
  for await (const { name: text, content } of entries) {
    const name = Buffer.from(text);
    const start = offset;
    const counts = { crc: 0, size: 0 };
    const local = record(
      0x04034b50,
      [2, 20],
      [2, FLAGS],
      [2, DEFLATE],
      [4, stamp],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    );
    yield Buffer.concat([local, name]);
    let packed = 0;
    for await (const chunk of deflated(content, counts)) {
      packed += chunk.length;
      if (packed > MAX_32 || counts.size > MAX_32) throw errors.FW_PERSONAL_ZIP(text);
      yield chunk;
    }
    yield record(0x08074b50, [4, counts.crc], [4, packed], [4, counts.size]);
    offset += local.length + name.length + packed + 16;
    written.push({ name, crc: counts.crc, packed, size: counts.size, offset: start });
  }
  const directory = offset;
  for (const entry of written) {
    const bytes = directoryEntry(entry, stamp);
    offset += bytes.length;
    yield bytes;
  }
  yield endOf(written.length, directory, offset);
}

async function* deflated(content: ZipEntry["content"], counts: { crc: number; size: number }): AsyncIterable<Buffer> {
  async function* counted() {
    for await (const chunk of content) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      counts.crc = crc32(bytes, counts.crc);
      counts.size += bytes.length;
      yield bytes;
    }
  }
  const packing = createDeflateRaw();
  pipeline(Readable.from(counted()), packing, () => undefined); // an error of the content ends the iteration below
  yield* packing as AsyncIterable<Buffer>;
}

function directoryEntry({ name, crc, packed, size, offset }: Written, stamp: number): Buffer {
  const isFar = offset >= MAX_32;
  const extra = isFar ? Buffer.concat([record(undefined, [2, 1], [2, 8], [8, offset])]) : Buffer.alloc(0);
  const head = record(
    0x02014b50,
    ...([
      [2, 0x032d],
      [2, isFar ? 45 : 20],
      [2, FLAGS],
      [2, DEFLATE],
      [4, stamp],
      [4, crc],
      [4, packed],
      [4, size],
    ] as const),
    ...([
      [2, name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0o100600 * 0x10000],
      [4, Math.min(offset, MAX_32)],
    ] as const),
  );
  return Buffer.concat([head, name, extra]);
}

function endOf(count: number, directory: number, end: number): Buffer {
  const size = end - directory;
  const isLarge = count >= MAX_16 || directory >= MAX_32 || size >= MAX_32;
  const large = isLarge
    ? [
        record(
          0x06064b50,
          [8, 44],
          [2, 45],
          [2, 45],
          [4, 0],
          [4, 0],
          [8, count],
          [8, count],
          [8, size],
          [8, directory],
        ),
        record(0x07064b50, [4, 0], [8, end], [4, 1]),
      ]
    : [];
  const [few, near, small] = [Math.min(count, MAX_16), Math.min(directory, MAX_32), Math.min(size, MAX_32)];
  return Buffer.concat([
    ...large,
    record(0x06054b50, [2, 0], [2, 0], [2, few], [2, few], [4, small], [4, near], [2, 0]),
  ]);
}

/** Numbers one after the other, each in so many bytes. */
function record(
  signature: number | undefined,
  ...fields: readonly (readonly [bytes: number, value: number])[]
): Buffer {
  const all = signature === undefined ? fields : [[4, signature] as const, ...fields];
  const bytes = Buffer.alloc(all.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of all) {
    if (length === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, length);
    at += length;
  }
  return bytes;
}

/** A time as archives have it: date and time of the day, in UTC, to two seconds. */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}
