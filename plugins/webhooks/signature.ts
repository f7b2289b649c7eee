import { createHmac, randomBytes } from "node:crypto";

/** How secrets are written, as the specification of Standard Webhooks has it. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes as base64. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The bytes of a secret; undefined for a text that is none. */
export function secretBytes(secret: string): Buffer | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === 0 ? undefined : bytes;
}

/** The bytes of the signature `v1` of a message. */
export const digestOf = (key: Buffer, id: string, timestamp: string, body: string | Uint8Array): Buffer =>
  createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();

/** The headers of a message: its id, the time of this attempt, and a signature for each secret, the current one first. */
export function signedHeaders(secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.flatMap((secret) => {
    const key = secretBytes(secret);
    return key ? [`v1,${digestOf(key, id, timestamp, body).toString("base64")}`] : [];
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
