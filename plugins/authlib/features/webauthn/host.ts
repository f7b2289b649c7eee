import { isIP } from "node:net";

/** Why a page's host can't use passkeys: it is an IP address, has no https, or is outside the relying party's host. */
export type HostProblem = "address" | "insecure" | "elsewhere";

/** Why browsers will refuse passkeys here, which they do without an explanation; undefined where they will not. */
export function hostProblem(hostname: string, protocol: string, rpId: string): HostProblem | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return "address";
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) return "elsewhere";
  return protocol === "https:" || /(^|\.)localhost$/.test(hostname) ? undefined : "insecure";
}
