import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

declare module "framewright/kernel" {
  interface Slots {
    assets: { service: Assets };
  }
}

/** An answer to a request for an asset. */
export interface AssetResponse {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  /** Empty for 304 and 416; HEAD is answered with the headers alone. */
  body: Buffer;
}

/**
 * The slot's service. A filler also adds the files of the folder `assets/` of each plugin (`hooks.kernel.contribute`), under
 * their names. `framewright/conformance/assets` tests one.
 */
export interface Assets {
  /**
   * Adds a file under a name such as "charts.js". Of packages, only files that were added are served.
   * @throws FW_ASSET_TAKEN when two plugins add one name
   */
  add(name: string, file: string): void;
  /**
   * Adds an asset that is others of the same type, one after the other: a single request for what all pages load. Those are
   * named by `add` before it is first read. @throws FW_ASSET_TAKEN
   * @example assets.join("shop.css", ["maps.css", "prices.css"])
   */
  join(name: string, names: readonly string[]): void;
  has(name: string): boolean;
  /**
   * The path of a file below /assets/, which changes with its content and is the same in every process. What is served there
   * may be cached for good. @throws FW_ASSET_UNKNOWN
   */
  url(name: string): string;
  /**
   * The response to a path below /assets/; undefined when no asset has it. A URL that an asset had, or will have, with
   * another content is of a page of another release: it gets the content of now, which no cache may keep.
   */
  respond(path: string, headers: IncomingHttpHeaders): AssetResponse | undefined;
  /**
   * Writes the assets compressed below the folder of a build, from where a started process reads them: `fw build` calls it.
   * Returns how many they are. Without it they are served as the filler does by itself.
   */
  precompress?(build: string): Promise<number>;
  /** Handles a GET or HEAD of an asset or of a file in public/. False: there is none, and nothing was written. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}
