import type { Assets } from "./contract.ts";
import type { ServeFile } from "./public_folder.ts";
import { respond } from "./respond.ts";
import { AssetStore } from "./store.ts";

/** The service: assets under /assets/, then the files of `fallback`. */
export function openAssets(fallback: ServeFile, registrant: () => string | undefined): Assets {
  const store = new AssetStore(registrant);
  return {
    add: (name, file) => store.add(name, file),
    has: (name) => store.has(name),
    url: (name) => store.get(name).url,
    respond: (path, headers) => respond(store, path, headers),
    handle(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const path = (request.url ?? "/").split("?", 1)[0] as string;
      const found = path.startsWith("/assets/") ? respond(store, path, request.headers) : undefined;
      if (!found) return fallback(request, response);
      response.writeHead(found.status, found.headers).end(request.method === "HEAD" ? undefined : found.body);
      return true;
    },
  };
}
