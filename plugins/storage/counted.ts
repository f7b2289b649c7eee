import { Readable } from "node:stream";
import { errors } from "./errors.ts";

/** A stream that fails where it has more or fewer bytes than it should: a file that was cut off must not be stored. */
export function counted(stream: Readable, size: number): Readable {
  return Readable.from(checkedChunks(stream, size), { objectMode: false });
}

async function* checkedChunks(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as Uint8Array | string);
    seen += bytes.length;
    if (seen > size) throw errors.FW_STORAGE_SIZE(size);
    yield bytes;
  }
  if (seen < size) throw errors.FW_STORAGE_SIZE(size);
}
