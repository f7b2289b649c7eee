import { isIP } from "node:net";

/** Why a page's host can't have passkeys: it is an address, has no https, or is not the one that they are for. */
export type HostProblem = "address" | "insecure" | "elsewhere";

/** What browsers would refuse anyway, without a word that helps; undefined when they will not. */
export function hostProblem(hostname: string, protocol: string, rpId: string): HostProblem | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return "address";
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) return "elsewhere";
  return protocol === "https:" || /(^|\.)localhost$/.test(hostname) ? undefined : "insecure";
}
