import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Settings } from "framewright/kernel";

/** Random tokens, of which only keyed digests are stored. */
export interface Digests {
  /** A new token, 256 bits, safe in an address. */
  token(): string;
  /** The digest that is stored, under the current secret. */
  digest(text: string): string;
  /** The digests under which it may be stored: of the current secret, then of the previous ones. */
  all(text: string): readonly string[];
}

/** Keyed digests for one purpose: the digests of another purpose differ. */
export function openDigests({ secrets }: Pick<Settings, "secrets">, purpose: string): Digests {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", `framewright ${purpose}`, 32)));
  const under = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest("hex");
  return {
    token: () => randomBytes(32).toString("base64url"),
    digest: (text) => under(keys[0]!, text),
    all: (text) => keys.map((key) => under(key, text)),
  };
}
