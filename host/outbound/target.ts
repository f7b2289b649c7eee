import { isIP } from "node:net";
import type { Addresses } from "./addresses.ts";

export const MAX_URL = 1000;

/** Why no request is sent to a URL. */
export type TargetProblem =
  | "url_wrong"
  | "url_long"
  | "url_scheme"
  | "url_user"
  | "url_fragment"
  | "url_port"
  | "url_private";

/** What the application allows. */
export interface TargetRules {
  readonly addresses: Addresses;
  readonly ports: readonly number[];
  /** Whether `http:` is allowed, to addresses that are allowed by name. */
  readonly allowHttp: boolean;
}

/** A URL that is checked as far as its text goes. */
export interface Target {
  readonly url: URL;
  /** Without the brackets of an address of IPv6. */
  readonly hostname: string;
  readonly port: number;
}

/** What is wrong with the text of a URL; its name is resolved and judged at each attempt. */
export function targetOf(text: string, rules: TargetRules): Target | TargetProblem {
  if (text.length > MAX_URL) return "url_long";
  if (!URL.canParse(text) || /[\s\p{Cc}\\]/u.test(text)) return "url_wrong";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && rules.allowHttp)) return "url_scheme";
  if (url.username !== "" || url.password !== "") return "url_user";
  if (url.hash !== "") return "url_fragment";
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  if (hostname === "") return "url_wrong";
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const target = { url, hostname, port };
  return isIP(hostname) === 0 ? target : (addressProblem(target, hostname, rules) ?? target);
}

/** What is wrong with an address that the name of a URL leads to. */
export function addressProblem({ url, port }: Target, address: string, rules: TargetRules): TargetProblem | undefined {
  if (!rules.addresses.permits(address)) return "url_private";
  if (rules.addresses.isAllowed(address)) return undefined;
  if (url.protocol === "http:") return "url_scheme";
  return rules.ports.includes(port) ? undefined : "url_port";
}
