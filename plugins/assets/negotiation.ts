import type { IncomingHttpHeaders } from "node:http";
import type { Encoding } from "./encodings.ts";

/** A body's tag. Only the bytes of the file itself are the same in every process: a compressor may make others of them. */
export const etagOf = (hash: string, encoding: Encoding): string =>
  encoding === "identity" ? `"${hash}"` : `W/"${hash}-${encoding}"`;

/** Bytes of a file, the last one included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The one range of bytes that is requested of a file with this tag and so many bytes; "none" where the file has none of them.
 * Undefined where all of it is to be sent: for several ranges, another unit, and a client that has the start of another file.
 */
export function rangeOf(headers: IncomingHttpHeaders, etag: string, length: number): ByteRange | "none" | undefined {
  const { range, "if-range": unless } = headers;
  if (range === undefined || (unless !== undefined && unless !== etag)) return undefined;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === undefined || to === undefined || from + to === "") return undefined;
  if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
  const first = from === "" ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === "" || to === "" ? length - 1 : Math.min(Number(to), length - 1);
  return first > last ? "none" : { first, last };
}
