import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** How many bytes a sealed text has, before it is written as base64url, besides those of the text. */
export const SEAL_BYTES = IV_BYTES + TAG_BYTES;

/** Encrypts texts for one purpose (AES-256-GCM): a text that was sealed for another purpose or binding does not open. */
export interface Sealer {
  /** Encrypts under the current secret. `bound` (additional data) is not in the text, and must be given again to open it. */
  seal(text: string, bound?: string): string;
  /** Decrypts under any of the secrets; undefined for a text that was sealed otherwise, or tampered with. */
  open(sealed: string, bound?: string): string | undefined;
}
/** As `Sealer`; the same text is sealed alike each time, so that it can be looked for. It shows which texts are equal. */
export interface DeterministicSealer extends Sealer {
  /** The text sealed under each of the secrets, the current one first. */
  all(text: string, bound?: string): readonly string[];
}

/** A sealer under `settings.secrets`; its keys are derived once. */
export function openSealer(secrets: readonly string[], purpose: string): Sealer {
  const keys = secrets.map((secret) => keyOf(secret, purpose));
  return {
    seal: (text, bound = "") => sealed(text, keys[0]!, randomBytes(IV_BYTES), bound),
    open: (text, bound = "") => openedUnderAny(text, keys, bound),
  };
}

/** A sealer whose initialization vector is a keyed digest of the text: two texts never share one. */
export function openDeterministicSealer(secrets: readonly string[], purpose: string): DeterministicSealer {
  const keys = secrets.map((secret) => keyOf(secret, purpose));
  const ivKeys = secrets.map((secret) => keyOf(secret, `${purpose} initialization vector`));
  const sealUnder = (text: string, bound: string, at: number) =>
    sealed(text, keys[at]!, digestOf(text, ivKeys[at]!, bound), bound);
  return {
    seal: (text, bound = "") => sealUnder(text, bound, 0),
    open: (text, bound = "") => openedUnderAny(text, keys, bound),
    all: (text, bound = "") => keys.map((_, at) => sealUnder(text, bound, at)),
  };
}

const keyOf = (secret: string, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `framewright ${purpose}`, 32)));

const digestOf = (text: string, key: KeyObject, bound: string): Buffer =>
  createHmac("sha256", key)
    .update(`${Buffer.byteLength(bound)} ${bound}${text}`)
    .digest()
    .subarray(0, IV_BYTES);

function sealed(text: string, key: KeyObject, iv: Buffer, bound: string): string {
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(bound));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64url");
}

function openedUnderAny(text: string, keys: readonly KeyObject[], bound: string): string | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length < SEAL_BYTES) return undefined;
  for (const key of keys) {
    try {
      return opened(bytes, key, bound);
    } catch {
      // sealed under another secret, or tampered with
    }
  }
  return undefined;
}

function opened(bytes: Buffer, key: KeyObject, bound: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(IV_BYTES, SEAL_BYTES));
  return decipher.update(bytes.subarray(SEAL_BYTES), undefined, "utf8") + decipher.final("utf8");
}
