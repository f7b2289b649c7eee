import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, posix } from "node:path";
import { acceptedEncoding } from "framewright/host";
import { Registry, suggest } from "framewright/kernel";
import { readCompressed } from "./compressed_folder.ts";
import { COMPRESSED, type Encoding, encoded, isCompressible } from "./encodings.ts";
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

/** A file that is served under a URL with the hash of its content. */
export interface Asset {
  name: string;
  url: string;
  type: string;
  hash: string;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

/** How assets are compressed. */
export interface StoreOptions {
  /** Whether they are at all. */
  compresses: boolean;
  /** The folder where a build put them compressed; it may be missing. */
  compressed: string | undefined;
}

/** The added files by name; each is read on first use, with what a build compressed of it. */
export class AssetStore {
  readonly #files: Registry<() => Buffer>;
  readonly #assets = new Map<string, Asset>();
  readonly #compressing = new Set<Asset>();

  readonly #options: StoreOptions;

  constructor(registrant: () => string | undefined, options: StoreOptions) {
    this.#options = options;
    this.#files = new Registry("the asset", registrant, { taken: errors.FW_ASSET_TAKEN });
  }

  /** @throws FW_ASSET_TAKEN */
  add(name: string, file: string): void {
    this.#files.add(name, () => readFileSync(file));
  }

  /** @throws FW_ASSET_TAKEN */
  join(name: string, names: readonly string[]): void {
    const separator = extname(name) === ".js" ? "\n;\n" : "\n"; // a script may end without a semicolon
    const joined = () => names.map((one) => this.get(one).bodies.identity.toString("utf8")).join(separator);
    this.#files.add(name, () => Buffer.from(joined()));
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  names(): string[] {
    return this.#files.names();
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

  /** The body in the best available encoding. What no build compressed is compressed in the background, for later requests. */
  body(asset: Asset, accepted: string): { encoding: Encoding; body: Buffer } {
    const { bodies } = asset;
    if (accepted !== "") this.compress(asset).catch(() => undefined); // it is sent as it is
    const available = COMPRESSED.filter((encoding) => bodies[encoding] !== undefined);
    const encoding = available.length === 0 ? "identity" : (acceptedEncoding(accepted, available) ?? "identity");
    return { encoding, body: bodies[encoding]! };
  }

  /** Compresses what no build did, once. */
  async compress(asset: Asset): Promise<void> {
    if (!this.#options.compresses || !isCompressible(asset.name) || this.#compressing.has(asset)) return;
    this.#compressing.add(asset);
    const { bodies } = asset;
    for (const encoding of ["gzip", "br"] as const) {
      if (bodies[encoding] !== undefined) continue;
      const body = await encoded(bodies.identity, encoding, "little");
      if (body.length < bodies.identity.length) bodies[encoding] = body;
    }
  }

  #read(name: string): Asset {
    const read = this.#files.get(name);
    if (read === undefined) throw errors.FW_ASSET_UNKNOWN(name, suggest(name, this.#files.names()));
    const extension = extname(name);
    const identity = extension === ".css" ? this.#linked(name, read()) : read();
    const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 12);
    const url = this.#urlOf(name, hash);
    const type = TYPES[extension] ?? "application/octet-stream";
    const asset: Asset = { name, url, type, hash, bodies: { identity } };
    const { compresses, compressed } = this.#options;
    if (compresses && compressed !== undefined) Object.assign(asset.bodies, readCompressed(compressed, asset));
    return asset;
  }

  #urlOf(name: string, hash: string): string {
    const extension = extname(name);
    return `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`;
  }
  /** A style sheet with the addresses, from its own, of the assets that it names: `url("asset:inter.woff2")`. @throws FW_ASSET_UNKNOWN */
  #linked(of: string, sheet: Buffer): Buffer {
    if (!sheet.includes("asset:")) return sheet;
    const folder = posix.dirname(this.#urlOf(of, ""));
    const addressOf = (_: string, name: string) => `url("${posix.relative(folder, this.get(name).url)}")`;
    return Buffer.from(sheet.toString("utf8").replace(/url\("?asset:([\w./-]+)"?\)/g, addressOf));
  }
}
