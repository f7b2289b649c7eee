import { Readable } from "node:stream";
import type { ByteRange } from "./contract.ts";

/** The part of a stream; what comes after it is not read. */
export const withinRange = (stream: Readable, range: ByteRange): Readable =>
  Readable.from(chunksWithin(stream, range), { objectMode: false });

async function* chunksWithin(stream: Readable, { first, last }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    const part = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += bytes.length;
    if (part.length > 0) yield part;
    if (at > last) return;
  }
}
