import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { Client } from "../../../testing/client.ts";
import { addPasskey as registerPasskey, showPasskey } from "./ceremonies.ts";

const sha = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();
const url = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]); // of CBOR

/** A device with a passkey, in software: it counts nothing, as most do, so that only the challenge tells an answer from its copy. */
export class Passkey {
  readonly id: string = url(randomBytes(16));
  readonly #private: KeyObject;
  readonly #cose: Buffer;
  readonly #origin: string;

  constructor(origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" }) as { x: string; y: string };
    const [left, right] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
    this.#private = privateKey;
    this.#origin = origin;
    this.#cose = Buffer.concat([Buffer.from("a5010203262001215820", "hex"), left, Buffer.from("225820", "hex"), right]);
  }

  /** What a browser answers to being asked for a new passkey. */
  register(challenge: string): string {
    const id = Buffer.from(this.id, "base64url");
    const owner = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#cose]);
    const data = Buffer.concat([this.#head(0x45), owner]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]), text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData"),
      Buffer.from([0x58, data.length]), data,
    ]); // biome-ignore format: a map of three
    const clientDataJSON = url(this.#client("webauthn.create", challenge));
    return this.#answer({ clientDataJSON, attestationObject: url(attestation), transports: ["internal"] });
  }
  /** What a browser answers to being asked to sign in. */
  assert(challenge: string): string {
    const client = this.#client("webauthn.get", challenge);
    const data = this.#head(0x05);
    const signature = sign("sha256", Buffer.concat([data, sha(client)]), this.#private);
    return this.#answer({ clientDataJSON: url(client), authenticatorData: url(data), signature: url(signature) });
  }

  #client(type: string, challenge: string): string {
    return JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false });
  }
  #head(flags: number): Buffer {
    return Buffer.concat([sha(new URL(this.#origin).hostname), Buffer.from([flags, 0, 0, 0, 0])]);
  }
  #answer(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: "public-key", response, clientExtensionResults: {} });
  }
}

/** Adds a passkey to the account of who is signed in, on a device of its own. */
export async function addPasskey(client: Client, plural = "users"): Promise<Passkey> {
  const key = new Passkey(client.url);
  const answer = await registerPasskey(client, key, plural);
  if (answer.status !== 303) throw new Error(`no passkey could be added: ${answer.status}`);
  return key;
}
/** Signs a visitor in by a passkey; the answer. */
export const signInByPasskey = (client: Client, key: Passkey, plural = "users"): Promise<Response> =>
  showPasskey(client, key, plural);
