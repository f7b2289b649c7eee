import type { IncomingHttpHeaders } from "node:http";
import type { AssetStore } from "./store.ts";

export interface AssetResponse {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  /** Empty for 304 and 416; a HEAD request is answered with the headers alone. */
  body: Buffer;
}

const NOTHING = Buffer.alloc(0);
/** A year: the address changes with the content. */
const FOREVER = "public, max-age=31536000, immutable";

/** Answers a GET or HEAD of an asset's address; undefined when it is not one. */
export function respond(store: AssetStore, path: string, request: IncomingHttpHeaders): AssetResponse | undefined {
  const asset = store.at(path);
  if (!asset) return undefined;
  const headers: Record<string, string> = {
    "cache-control": FOREVER,
    "content-type": asset.type,
    etag: asset.etag,
    vary: "accept-encoding",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  };
  if (request["if-none-match"]?.includes(asset.etag)) return { status: 304, headers, body: NOTHING };
  if (request.range !== undefined) return partial(asset.bodies.identity, request.range, headers);
  const { encoding, body } = store.body(asset, request["accept-encoding"] ?? "");
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  return { status: 200, headers: { ...headers, "content-length": String(body.length) }, body };
}

/** One range of bytes; what asks for several, or in another unit, gets the whole. */
function partial(whole: Buffer, range: string, headers: Record<string, string>): AssetResponse {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === undefined || last === undefined || first + last === "") {
    return { status: 200, headers: { ...headers, "content-length": String(whole.length) }, body: whole };
  }
  const start = first === "" ? Math.max(0, whole.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? whole.length - 1 : Math.min(Number(last), whole.length - 1);
  if (start > end)
    return { status: 416, headers: { ...headers, "content-range": `bytes */${whole.length}` }, body: NOTHING };
  const body = whole.subarray(start, end + 1);
  const span = { "content-range": `bytes ${start}-${end}/${whole.length}`, "content-length": String(body.length) };
  return { status: 206, headers: { ...headers, ...span }, body };
}
