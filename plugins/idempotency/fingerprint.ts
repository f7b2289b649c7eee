import { createHash, type Hash } from "node:crypto";
import { isUploadedFile, type ParamObject, type RequestContext, type UploadedFile } from "framewright/host";

/** A digest of what a request sends: its fields in any order, and its files byte by byte. */
export async function fingerprintOf({ body, search }: RequestContext): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(search));
  await add(hash, body.toObject());
  return hash.digest("hex");
}

async function add(hash: Hash, value: unknown): Promise<void> {
  if (isUploadedFile(value)) return addFile(hash, value);
  if (Array.isArray(value)) {
    hash.update(`[${value.length}`);
    for (const one of value) await add(hash, one);
  } else if (typeof value === "object" && value !== null) {
    const names = Object.keys(value).sort();
    hash.update(`{${names.length}`);
    for (const name of names) {
      hash.update(JSON.stringify(name));
      await add(hash, (value as ParamObject)[name]);
    }
  } else hash.update(`${typeof value} ${JSON.stringify(value) ?? "undefined"},`);
}

async function addFile(hash: Hash, file: UploadedFile): Promise<void> {
  hash.update(`file ${JSON.stringify([file.filename, file.mimeType, file.size ?? file.bytes.length])}`);
  if (!file.stream) return void hash.update(file.bytes);
  for await (const chunk of file.stream()) hash.update(chunk as Buffer);
}
