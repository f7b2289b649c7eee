import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { compressedFolder, writeCompressed } from "./compressed_folder.ts";
import type { Assets } from "./contract.ts";
import type { ServeFile } from "./public_folder.ts";
import { respond } from "./respond.ts";
import type { AssetStore } from "./store.ts";

/** The service: assets under /assets/, then the files of `fallback`, all below the path `base`. */
export function openAssets(store: AssetStore, fallback: ServeFile, base: string): Assets {
  return {
    add: (name, file) => store.add(name, file),
    join: (name, names) => store.join(name, names),
    has: (name) => store.has(name),
    url: (name) => base + store.get(name).url,
    respond: (path, headers) => (path.startsWith(base) ? respond(store, path.slice(base.length), headers) : undefined),
    precompress: (build) => writeCompressed(compressedFolder(build), store),
    handle(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const [whole = "/"] = (request.url ?? "/").split("?", 1);
      if (!whole.startsWith(`${base}/`)) return false;
      const path = whole.slice(base.length);
      const found = path.startsWith("/assets/") ? respond(store, path, headersOf(request)) : undefined;
      if (!found) return fallback(request, response, path);
      response.writeHead(found.status, found.headers).end(request.method === "HEAD" ? undefined : found.body);
      return true;
    },
  };
}

/** A range is requested by GET alone. */
function headersOf({ method, headers }: IncomingMessage): IncomingHttpHeaders {
  return method === "HEAD" && headers.range !== undefined ? { ...headers, range: undefined } : headers;
}

/** Reads all assets, and compresses what no build did, one after the other so that requests have threads too. */
export async function prepare(store: AssetStore, report: (message: string, error: unknown) => void): Promise<void> {
  for (const name of store.names()) {
    await nextTurn();
    try {
      await store.compress(store.get(name));
    } catch (error) {
      report(`the asset ${name} could not be read or compressed`, error);
    }
  }
}
