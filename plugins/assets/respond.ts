import type { IncomingHttpHeaders } from "node:http";
import { isKnownTag } from "framewright/host";
import type { AssetResponse } from "./contract.ts";
import { etagOf, rangeOf } from "./negotiation.ts";
import type { Asset, AssetStore } from "./store.ts";

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
    vary: "accept-encoding",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  };
  return partOf(asset, request, headers) ?? whole(store, asset, request, headers);
}

/** In the encoding that the client likes best. */
function whole(
  store: AssetStore,
  asset: Asset,
  request: IncomingHttpHeaders,
  headers: Record<string, string>,
): AssetResponse {
  const { encoding, body } = store.body(asset, request["accept-encoding"] ?? "");
  headers.etag = etagOf(asset.hash, encoding);
  if (isKnownTag(request["if-none-match"], headers.etag)) return { status: 304, headers, body: EMPTY };
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  headers["content-length"] = String(body.length);
  return { status: 200, headers, body };
}

/** A single range of the file's own bytes, never of compressed ones. */
function partOf(
  asset: Asset,
  request: IncomingHttpHeaders,
  headers: Record<string, string>,
): AssetResponse | undefined {
  const { identity } = asset.bodies;
  const etag = etagOf(asset.hash, "identity");
  const range = rangeOf(request, etag, identity.length);
  if (!range || isKnownTag(request["if-none-match"], etag)) return undefined;
  headers.etag = etag;
  if (range === "none")
    return { status: 416, headers: { ...headers, "content-range": `bytes */${identity.length}` }, body: EMPTY };
  const body = identity.subarray(range.first, range.last + 1);
  headers["content-range"] = `bytes ${range.first}-${range.last}/${identity.length}`;
  headers["content-length"] = String(body.length);
  return { status: 206, headers, body };
}
