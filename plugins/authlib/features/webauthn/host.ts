import { isIP } from "node:net";
import type { AuthlibBase } from "../../base.ts";
import type { Ceremony } from "./ceremony.ts";

/** Why a page's host can't use passkeys: it is an IP address, has no https, or is outside the relying party's host. */
export type HostProblem = "address" | "insecure" | "elsewhere";

/** Why browsers will refuse passkeys here, which they do without an explanation; undefined where they will not. */
export function hostProblem(hostname: string, protocol: string, rpId: string): HostProblem | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return "address";
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) return "elsewhere";
  return protocol === "https:" || /(^|\.)localhost$/.test(hostname) ? undefined : "insecure";
}

/** Locals that explain that passkeys can't work at this page's address, and where they can. */
export function hostLocals(authlib: AuthlibBase, { origin, rpId }: Ceremony, page: string) {
  const { request, type } = authlib;
  const own = new URL(request.origin);
  const problem = hostProblem(own.hostname, new URL(origin).protocol, rpId);
  if (problem === undefined) return {};
  if (problem === "address" && /^(127\.|\[::1\])/.test(own.hostname)) own.hostname = "localhost";
  const there = request.settings.appUrl?.origin ?? own.origin;
  const unavailable = authlib.t(`webauthn_setup.no_${problem}`, { host: rpId });
  if (there === request.origin) return { unavailable };
  return { unavailable, elsewhere: there + type.path(page), elsewhere_host: new URL(there).host };
}
