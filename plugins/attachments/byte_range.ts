import type { IncomingHttpHeaders } from "node:http";
import type { ByteRange } from "framewright/plugins/storage";

/**
 * The one range of bytes that is requested of a file with this tag and so many bytes; "none" where the file has none of them.
 * Undefined where all of it is to be sent: for several ranges, another unit, and a client that has the start of another file.
 */
export function rangeOf(headers: IncomingHttpHeaders, etag: string, size: number): ByteRange | "none" | undefined {
  const { range, "if-range": unless } = headers;
  if (range === undefined || (unless !== undefined && unless !== etag)) return undefined;
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if (from + to === "" || (from !== "" && to !== "" && Number(to) < Number(from))) return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? "none" : { first, last };
}
