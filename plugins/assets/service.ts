import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Serve } from "./public_folder.ts";
import { type AssetResponse, respond } from "./respond.ts";
import { AssetStore } from "./store.ts";

/** The slot's service. */
export interface Assets {
  /** Adds a file under a name such as "charts.js". Only files that were added are ever served from a package. */
  add(name: string, file: string): void;
  has(name: string): boolean;
  /** The address of a file, which changes with its content. @throws FW_ASSET_UNKNOWN */
  url(name: string): string;
  /** Answers an address under /assets/; undefined when it is not one of ours. */
  respond(path: string, headers: IncomingHttpHeaders): AssetResponse | undefined;
  /** Answers a GET or HEAD of an asset or of a file in public/. False: not one of ours, nothing was written. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Assets under /assets/, and behind them whatever `fallback` serves. */
export function openAssets(fallback: Serve, registrant: () => string | undefined): Assets {
  const store = new AssetStore();
  return {
    add: (name, file) => store.add(name, file, registrant() ?? "the application"),
    has: (name) => store.has(name),
    url: (name) => store.get(name).url,
    respond: (path, headers) => respond(store, path, headers),
    handle(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const path = (request.url ?? "/").split("?", 1)[0] as string;
      const answer = path.startsWith("/assets/") ? respond(store, path, request.headers) : undefined;
      if (!answer) return fallback(request, response);
      response.writeHead(answer.status, answer.headers).end(request.method === "HEAD" ? undefined : answer.body);
      return true;
    },
  };
}
