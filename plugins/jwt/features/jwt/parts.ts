import { randomUUID } from "node:crypto";
import type { Reply } from "framewright/host";
import type { AccountRecord, AuthlibBase } from "framewright/plugins/authlib";
import type { Claims, Tokens } from "../../contract.ts";
import { errors } from "../../errors.ts";

/** The service that issues and verifies tokens. @throws FW_JWT_PLUGIN */
export function tokensOf({ request, type }: AuthlibBase): Tokens {
  if (!request.kernel.has("jwt")) throw errors.FW_JWT_PLUGIN(type.name);
  return request.kernel.service("jwt");
}

/** The claims of a new token; `lifetime` in seconds. */
export function claimsFor(aud: string, { id }: AccountRecord, sid: string, lifetime: number): Claims {
  const iat = Math.floor(Date.now() / 1000);
  return { aud, sub: String(id), sid, jti: randomUUID(), iat, exp: iat + lifetime };
}

/** Adds members to a JSON reply; other replies stay unchanged. */
export function addMembers(reply: Reply, members: Record<string, string>): void {
  if (!/\bjson\b/.test(String(reply.headers["content-type"]))) return;
  reply.body = JSON.stringify({ ...(JSON.parse(String(reply.body)) as object), ...members });
  reply.headers["cache-control"] = "no-store";
}
