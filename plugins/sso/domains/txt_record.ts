import { randomBytes } from "node:crypto";
import { Resolver } from "node:dns/promises";

const PREFIX = "_framewright-challenge";
const VALUE = "framewright-verification=";
/** How many records of a name are looked at. */
const MAX_RECORDS = 500;
/** What DNS answers where there is no such record, for certain. */
const ABSENT: ReadonlySet<string> = new Set(["ENODATA", "ENOTFOUND"]);

/** What was found at a name: the record, others or none, or no answer in time. */
export type TxtResult = "found" | "missing" | "unreachable";

export interface DnsOptions {
  /** As `["10.0.0.2", "127.0.0.1:5353"]`; those of the system by default. */
  readonly servers: readonly string[];
  readonly timeoutMs: number;
}

export const newToken = (): string => randomBytes(20).toString("hex");
/** The record that proves a domain: its name, and its text. */
export const recordOf = ({ domain, token }: { readonly domain: string; readonly token: string }) => ({
  name: `${PREFIX}.${domain}`,
  text: VALUE + token,
});

/** Looks for a text among the TXT records of a name. Texts that DNS splits are joined; no cache of the process is used. */
export async function findTxt(name: string, text: string, { servers, timeoutMs }: DnsOptions): Promise<TxtResult> {
  const resolver = new Resolver({ timeout: Math.max(250, Math.floor(timeoutMs / 2)), tries: 2 });
  if (servers.length > 0) resolver.setServers([...servers]);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const records = await resolver.resolveTxt(name);
    return records.slice(0, MAX_RECORDS).some((parts) => parts.join("").trim() === text) ? "found" : "missing";
  } catch (error) {
    return ABSENT.has(String((error as { code?: unknown }).code)) ? "missing" : "unreachable";
  } finally {
    clearTimeout(timer);
  }
}
