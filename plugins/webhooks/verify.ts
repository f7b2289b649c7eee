import { timingSafeEqual } from "node:crypto";
import { errors } from "./errors.ts";
import { digestOf, secretBytes } from "./signature.ts";

/** Within how many seconds of now a message has to be sent. */
const TOLERANCE_SECONDS = 300;

/** A message as it arrived. */
export interface ReceivedWebhook {
  /** The secrets that are valid: one, or two while one replaces the other. */
  readonly secrets: readonly string[];
  /** Those of the request, as `node:http` or `fetch` has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it was received: not JSON that was parsed and written again. */
  readonly body: string | Uint8Array;
  /** How old or how far ahead its timestamp may be; 300 by default. */
  readonly toleranceSeconds?: number;
}
/** A message that is who it claims to be from, and recent. */
export interface VerifiedWebhook {
  /** The same at each attempt: by it a receiver knows what it has handled already. */
  readonly id: string;
  /** When it was sent. */
  readonly timestamp: Date;
  /** `{ type, timestamp, data }`. */
  readonly payload: unknown;
}

/**
 * Checks the signature and the time of a message by the specification of Standard Webhooks, in constant time.
 * @example const { id, payload } = verifyWebhook({ secrets: [process.env.WEBHOOK_SECRET!], headers: request.headers, body });
 * @throws FW_WEBHOOK_SIGNATURE
 */
export function verifyWebhook(received: ReceivedWebhook): VerifiedWebhook {
  const { secrets, headers, body, toleranceSeconds = TOLERANCE_SECONDS } = received;
  const keys = secrets.map((secret) => secretBytes(secret) ?? refuse("a secret is not whsec_ with base64"));
  const id = headerOf(headers, "webhook-id");
  const time = headerOf(headers, "webhook-timestamp");
  if (id === "" || !/^[^.]+$/.test(id)) refuse("webhook-id is missing, or has a dot");
  if (!/^\d{1,12}$/.test(time)) refuse("webhook-timestamp is not a number of seconds");
  const timestamp = new Date(Number(time) * 1000);
  if (!(Math.abs(Date.now() - timestamp.getTime()) <= toleranceSeconds * 1000))
    refuse(`webhook-timestamp is more than ${toleranceSeconds} seconds from now`);
  const given = signaturesIn(headerOf(headers, "webhook-signature"));
  let isSigned = false;
  for (const key of keys) {
    const expected = digestOf(key, id, time, body);
    for (const one of given) if (one.length === expected.length && timingSafeEqual(one, expected)) isSigned = true;
  }
  if (!isSigned) refuse("no signature in webhook-signature fits a secret");
  return { id, timestamp, payload: parsed(body) };
}

function refuse(problem: string): never {
  throw errors.FW_WEBHOOK_SIGNATURE(problem);
}

function headerOf(headers: ReceivedWebhook["headers"], name: string): string {
  if (typeof (headers as Headers).get === "function") return (headers as Headers).get(name) ?? "";
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === name) return typeof value === "string" ? value : value?.length === 1 ? value[0]! : "";
  return "";
}

/** Those of the version 1; others may be beside them. */
const signaturesIn = (header: string): Buffer[] =>
  header.split(" ").flatMap((one) => (one.startsWith("v1,") ? [Buffer.from(one.slice(3), "base64")] : []));

function parsed(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
  } catch {
    return refuse("its body is not JSON");
  }
}
