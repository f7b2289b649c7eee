import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { Registry, suggest } from "framewright/kernel";
import { errors } from "./errors.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};
const COMPRESSIBLE = new Set([".css", ".js", ".json", ".svg"]);

export type Encoding = "br" | "gzip" | "identity";

/** A file that is served under a URL with the hash of its content. */
export interface Asset {
  name: string;
  url: string;
  type: string;
  etag: string;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

/** The added files by name; each is read on first use. */
export class AssetStore {
  readonly #files: Registry<string>;
  readonly #assets = new Map<string, Asset>();
  readonly #compressing = new Set<Asset>();

  constructor(registrant: () => string | undefined) {
    this.#files = new Registry("the asset", registrant, { taken: errors.FW_ASSET_TAKEN });
  }

  /** @throws FW_ASSET_TAKEN */
  add(name: string, file: string): void {
    this.#files.add(name, file);
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** @throws FW_ASSET_UNKNOWN */
  get(name: string): Asset {
    const asset = this.#assets.get(name) ?? this.#read(name);
    this.#assets.set(name, asset);
    return asset;
  }

  /** The asset whose URL this is, with this hash or another one; undefined unless a file was added under the name. */
  at(path: string): Asset | undefined {
    const [, stem, extension] = /^\/assets\/([\w./-]+)-[\w-]{12}(\.\w+)$/.exec(path) ?? [];
    const name = `${stem}${extension}`;
    return this.#files.has(name) ? this.get(name) : undefined;
  }

  /** The body in the best available encoding. Starts compression in the background, for later requests. */
  body(asset: Asset, accepted: string): { encoding: Encoding; body: Buffer } {
    if (!COMPRESSIBLE.has(extname(asset.name))) return { encoding: "identity", body: asset.bodies.identity };
    void this.compress(asset);
    for (const encoding of ["br", "gzip"] as const) {
      const body = asset.bodies[encoding];
      if (body && accepts(accepted, encoding)) return { encoding, body };
    }
    return { encoding: "identity", body: asset.bodies.identity };
  }

  async compress(asset: Asset): Promise<void> {
    if (this.#compressing.has(asset)) return;
    this.#compressing.add(asset);
    const { identity } = asset.bodies;
    asset.bodies.gzip = await promisify(gzip)(identity, { level: 9 });
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
    asset.bodies.br = await promisify(brotliCompress)(identity, { params });
  }

  #read(name: string): Asset {
    const file = this.#files.get(name);
    if (file === undefined) throw errors.FW_ASSET_UNKNOWN(name, suggest(name, this.#files.names()));
    const extension = extname(name);
    const read = readFileSync(file);
    const identity = extension === ".css" ? this.#linked(read) : read;
    const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 12);
    const url = `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`;
    return { name, url, type: TYPES[extension] ?? "application/octet-stream", etag: `"${hash}"`, bodies: { identity } };
  }

  /** A style sheet with the addresses of the assets that it names: `url("asset:inter.woff2")`. @throws FW_ASSET_UNKNOWN */
  #linked(sheet: Buffer): Buffer {
    if (!sheet.includes("asset:")) return sheet;
    const text = sheet.toString("utf8");
    return Buffer.from(text.replace(/url\("asset:([\w./-]+)"\)/g, (_, name: string) => `url("${this.get(name).url}")`));
  }
}

/** Whether an Accept-Encoding header accepts an encoding: by name or "*", and not with a quality of zero. */
export function accepts(header: string, encoding: string): boolean {
  for (const part of header.toLowerCase().split(",")) {
    const [name, quality] = part.trim().split(/\s*;\s*q=/);
    if (name === encoding || name === "*") return quality === undefined || Number(quality) > 0;
  }
  return false;
}
