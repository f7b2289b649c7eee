import { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { Refused } from "./refused.js";

const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = "PK\x05\x06";
const WIDE = 0xffffffff;
const MAX_COMMENT_BYTES = 65_535;
const CHUNK_BYTES = 16_384;

/** The files of a ZIP archive, unfolded as they are read, and never to more than all of them may become. */
export class ZipArchive {
  #bytes;
  #limits;
  #entries = new Map();
  #left;

  /** @throws Refused, RangeError for an archive that is cut */
  constructor(bytes, limits) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#left = limits.inflatedBytes;
    const end = directoryEnd(bytes);
    let at = bytes.readUInt32LE(end + 16);
    for (let count = 0; at + 46 <= end && bytes.readUInt32LE(at) === DIRECTORY_ENTRY; count++) {
      if (count >= limits.parts) throw new Refused("sheet_parts", { count: limits.parts });
      at = this.#addEntry(at);
    }
  }
  #addEntry(at) {
    const bytes = this.#bytes;
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    if (flags & 1) throw new Refused("sheet_password");
    const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const narrow = [24, 20, 42].map((place) => bytes.readUInt32LE(at + place));
    const [size, packedSize, offset] = narrow.includes(WIDE) ? widened(narrow, extra) : narrow;
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const checksum = bytes.readUInt32LE(at + 16);
    this.#entries.set(keyOf(name), { method, size, packedSize, offset, checksum });
    return at + 46 + nameLength + extraLength + commentLength;
  }

  has(name) {
    return this.#entries.has(keyOf(name));
  }
  /** The bytes of a file, a part at a time. What the archive says of its size is held to. @throws Refused */
  async *read(name) {
    const { method, size, packedSize, offset, checksum } = this.#entries.get(keyOf(name));
    if (size > this.#left) throw this.#tooLarge();
    const bytes = this.#bytes;
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const packed = bytes.subarray(start, start + packedSize);
    let [left, sum] = [size, 0];
    for await (const part of method === 0 ? partsOf(packed) : inflated(packed, method)) {
      left -= part.length;
      this.#left -= part.length;
      if (left < 0 || this.#left < 0) throw this.#tooLarge();
      sum = crc32(part, sum);
      yield part;
    }
    if (sum !== checksum) throw new Refused("sheet_invalid");
  }
  #tooLarge() {
    return new Refused("sheet_size", { megabytes: this.#limits.inflatedBytes / 1_000_000 });
  }
}

const keyOf = (name) => name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

function directoryEnd(bytes) {
  const tail = Math.max(0, bytes.length - MAX_COMMENT_BYTES - 22);
  const found = bytes.lastIndexOf(DIRECTORY_END, undefined, "latin1");
  if (found < tail) throw new Refused("sheet_invalid");
  return found;
}

/** The sizes and the place of a file whose archive has them in 64 bits. */
function widened(narrow, extra) {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let place = at + 4;
    return narrow.map((value) => {
      if (value !== WIDE) return value;
      place += 8;
      return Number(extra.readBigUInt64LE(place - 8));
    });
  }
  throw new Refused("sheet_invalid");
}

function* partsOf(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

async function* inflated(packed, method) {
  if (method !== 8) throw new Refused("sheet_invalid");
  const inflate = Readable.from(partsOf(packed)).pipe(createInflateRaw({ chunkSize: CHUNK_BYTES }));
  try {
    yield* inflate;
  } catch {
    throw new Refused("sheet_invalid");
  } finally {
    inflate.destroy();
  }
}
