import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMPRESSED, type CompressedEncoding, ENDINGS, encoded, isCompressible } from "./encodings.ts";
import type { Asset, AssetStore } from "./store.ts";

const FOLDER = "compressed";
/** Where a build has compressed assets. Their names have the hashes of their contents: what is not of now is never found. */
export const compressedFolder = (build: string): string => join(build, FOLDER);

const fileOf = ({ url }: Asset, encoding: CompressedEncoding): string =>
  url.slice("/assets/".length) + ENDINGS[encoding];

/** What a build compressed of an asset. */
export function readCompressed(folder: string, asset: Asset): Partial<Record<CompressedEncoding, Buffer>> {
  const bodies: Partial<Record<CompressedEncoding, Buffer>> = {};
  if (!isCompressible(asset.name)) return bodies;
  for (const encoding of COMPRESSED) {
    const file = join(folder, fileOf(asset, encoding));
    if (existsSync(file)) bodies[encoding] = readFileSync(file);
  }
  return bodies;
}

/**
 * Compresses all assets into a folder as far as that makes them smaller, and removes what is not of them; what the folder
 * has of an earlier build is preserved. Returns the number of assets.
 */
export async function writeCompressed(folder: string, store: AssetStore): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const former = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  const assets = store.names().filter(isCompressible);
  const wanted = assets.flatMap((name) => COMPRESSED.map((encoding) => ({ asset: store.get(name), encoding })));
  const current = new Set(wanted.map(({ asset, encoding }) => fileOf(asset, encoding)));
  for (const file of former)
    if (![...current].some((one) => one === file || one.startsWith(`${file}/`))) rmSync(join(folder, file), REMOVED);
  await Promise.all(
    wanted.map(async ({ asset, encoding }) => {
      const file = fileOf(asset, encoding);
      if (!former.has(file)) await write(join(folder, file), asset.bodies.identity, encoding);
    }),
  );
  return assets.length;
}

const REMOVED = { recursive: true, force: true };

/** A process that starts meanwhile finds the whole file or none. */
async function write(file: string, bytes: Buffer, encoding: CompressedEncoding): Promise<void> {
  const body = await encoded(bytes, encoding, "most");
  if (body.length >= bytes.length) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.tmp`, body);
  renameSync(`${file}.tmp`, file);
}
