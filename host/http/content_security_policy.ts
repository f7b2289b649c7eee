import { describe, suggest } from "framewright/kernel";
import type { Registrant } from "../app/registrant.ts";
import { errors } from "../errors.ts";

/** The directives of the Content-Security-Policy that plugins may extend. */
export type CspDirective =
  | "connect-src"
  | "font-src"
  | "form-action"
  | "frame-src"
  | "img-src"
  | "manifest-src"
  | "media-src"
  | "script-src"
  | "style-src"
  | "worker-src";

/** A source that a plugin added. */
export interface CspSource {
  readonly directive: CspDirective;
  readonly source: string;
  readonly plugin: string;
}

/** What a directive takes besides `https://…`. */
interface Allowance {
  readonly schemes?: readonly string[];
  readonly hashes?: true;
  readonly sockets?: true;
}
const EXTENDABLE: Readonly<Record<CspDirective, Allowance>> = {
  "connect-src": { sockets: true },
  "font-src": { schemes: ["data:"] },
  "form-action": {},
  "frame-src": {},
  "img-src": { schemes: ["data:", "blob:"] },
  "manifest-src": {},
  "media-src": { schemes: ["data:", "blob:"] },
  "script-src": { hashes: true },
  "style-src": { hashes: true },
  "worker-src": {},
};
const names = Object.keys(EXTENDABLE) as CspDirective[];
/** Directives that stay as they are, since any source more would open what they close. */
const FIXED = new Set([
  ...["base-uri", "child-src", "default-src", "frame-ancestors", "object-src", "sandbox", "script-src-attr"],
  ...["script-src-elem", "style-src-attr", "style-src-elem", "upgrade-insecure-requests"],
]);

const HASH = /^'sha(?:256-[\w+/]{43}=|384-[\w+/]{64}|512-[\w+/]{86}==)'$/;
const URL_SHAPE =
  /^(https?|wss?):\/\/(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*|\[::1\])(?::\d{1,5})?(?:\/(?:[\w.~/-]|%[0-9a-f]{2})*)?$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Where pages may load from besides the application itself: what plugins add while they are applied. */
export class ContentSecurityPolicy {
  readonly #registrant: Registrant;
  readonly #sources: CspSource[] = [];

  constructor(registrant: Registrant) {
    this.#registrant = registrant;
  }

  /**
   * Adds a source to a directive, for all pages: `services.host.csp.add("img-src", "https://tiles.example")`.
   * @throws FW_CSP_DIRECTIVE, FW_CSP_SOURCE for what would undo the policy, FW_REGISTERED_LATE outside of `apply`
   */
  add(directive: CspDirective, source: string): void {
    const plugin = this.#registrant.name("host.csp.add");
    if (!names.includes(directive)) throw unknownDirective(plugin, String(directive));
    const problem = problemOf(source, directive);
    if (problem !== undefined) throw errors.FW_CSP_SOURCE(plugin, directive, shown(source), problem);
    this.#sources.push({ directive, source, plugin });
  }

  /** What was added, in the order in which it was. */
  get sources(): readonly CspSource[] {
    return this.#sources;
  }
}

function unknownDirective(plugin: string, directive: string): Error {
  const isFixed = FIXED.has(directive);
  return errors.FW_CSP_DIRECTIVE(plugin, directive, isFixed, isFixed ? undefined : suggest(directive, names), names);
}

const shown = (source: unknown) =>
  typeof source === "string" ? JSON.stringify(source.slice(0, 100)) : describe(source);

/** Why a source can't be added to a directive; undefined when it can. */
function problemOf(source: unknown, directive: CspDirective): string | undefined {
  const { schemes = [], hashes, sockets } = EXTENDABLE[directive];
  if (typeof source !== "string") return "it is no text";
  if (/[\s;,]|[^\x20-\x7e]/.test(source)) return "a source has no spaces, commas, semicolons or control characters";
  if (source.startsWith("'")) return hashes && HASH.test(source) ? undefined : keywordProblem(hashes);
  if (schemes.includes(source)) return undefined;
  if (/^(?:\*|[a-z][a-z0-9+.-]*:)(?:\/\/)?\*?(?::\*|:\d+)?$/i.test(source))
    return "it would admit whatever anybody sends";
  return urlProblem(source, sockets);
}

const keywordProblem = (hashes: true | undefined) =>
  `keywords and nonces would undo the policy${hashes ? "; of what stands in quotes only hashes can be added, as in 'sha256-…'" : ""}`;

function urlProblem(source: string, sockets: true | undefined): string | undefined {
  const [, scheme = "", wildcard, host = ""] = URL_SHAPE.exec(source) ?? [];
  const name = host.toLowerCase();
  const url = source.replace("://*.", "://");
  if (name === "" || !URL.canParse(url) || new URL(url).hostname !== name) return "it is no URL of a site";
  if (wildcard && !/\.[a-z][a-z0-9-]*$/.test(name)) return "its * stands for too many sites";
  if (/^ws/i.test(scheme) && !sockets) return "only connect-src takes the addresses of sockets";
  if (/^(?:http|ws)$/i.test(scheme) && !LOOPBACK.has(name)) return "anybody on the network could change what it sends";
  return undefined;
}
