import type { IncomingHttpHeaders } from "node:http";
import type { AssetResponse } from "./contract.ts";
import type { AssetStore } from "./store.ts";

const EMPTY = Buffer.alloc(0);
/** A year, because the URL changes with the content. */
const CACHE_IMMUTABLE = "public, max-age=31536000, immutable";
/** The page is of another release, whose content is not known here: no cache may keep this under its URL. */
const CACHE_NOTHING = "no-store";

/** The response to a GET or HEAD of an asset's path, of this release's content whatever the hash; undefined when no asset has the name. */
export function respond(store: AssetStore, path: string, request: IncomingHttpHeaders): AssetResponse | undefined {
  const asset = store.at(path);
  if (!asset) return undefined;
  const headers: Record<string, string> = {
    "cache-control": path === asset.url ? CACHE_IMMUTABLE : CACHE_NOTHING,
    "content-type": asset.type,
    etag: asset.etag,
    vary: "accept-encoding",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  };
  if (request["if-none-match"]?.includes(asset.etag)) return { status: 304, headers, body: EMPTY };
  if (request.range !== undefined) return rangeResponse(asset.bodies.identity, request.range, headers);
  const { encoding, body } = store.body(asset, request["accept-encoding"] ?? "");
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  return { status: 200, headers: { ...headers, "content-length": String(body.length) }, body };
}

/** A single range of bytes; several ranges, or another unit, get the whole file. */
function rangeResponse(whole: Buffer, range: string, headers: Record<string, string>): AssetResponse {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === undefined || last === undefined || first + last === "") {
    return { status: 200, headers: { ...headers, "content-length": String(whole.length) }, body: whole };
  }
  const start = first === "" ? Math.max(0, whole.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? whole.length - 1 : Math.min(Number(last), whole.length - 1);
  if (start > end)
    return { status: 416, headers: { ...headers, "content-range": `bytes */${whole.length}` }, body: EMPTY };
  const body = whole.subarray(start, end + 1);
  const span = { "content-range": `bytes ${start}-${end}/${whole.length}`, "content-length": String(body.length) };
  return { status: 206, headers: { ...headers, ...span }, body };
}
