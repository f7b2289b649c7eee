import type { RequestContext } from "framewright/host";

/** What a program prefers, by `Prefer` (RFC 7240). */
export interface Preferences {
  /** Each record by itself, whatever comes of the others; as OData has it. */
  readonly continueOnError: boolean;
  readonly respondAsync: boolean;
}

export function preferencesOf(request: RequestContext): Preferences {
  const given = (request.header("prefer") ?? "").split(",").map((one) => one.split(";")[0]!.trim().toLowerCase());
  const has = (name: string) => given.some((one) => one.replace(/\s*=\s*"?true"?$/, "") === name);
  return { continueOnError: has("continue-on-error"), respondAsync: has("respond-async") };
}
