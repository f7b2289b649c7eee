/** A piece of HTML that is known to be safe: templates and `html` insert it unchanged, and escape everything else. */
export class SafeHtml {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  toString(): string {
    return this.html;
  }
}

const SPECIAL = /[&<>"']/;
const ENTITIES: readonly (string | undefined)[] = Object.assign([], {
  38: "&amp;",
  60: "&lt;",
  62: "&gt;",
  34: "&quot;",
  39: "&#39;",
});

function escapeString(text: string): string {
  const first = text.search(SPECIAL);
  if (first < 0) return text;
  let [out, from] = ["", 0];
  for (let at = first; at < text.length; at++) {
    const entity = ENTITIES[text.charCodeAt(at)];
    if (entity === undefined) continue;
    out += text.slice(from, at) + entity;
    from = at + 1;
  }
  return out + text.slice(from);
}

/** Escapes a value for text and for quoted attributes. Null and undefined are empty; a SafeHtml is escaped too. */
export function escapeHtml(value: unknown): string {
  if (typeof value === "string") return escapeString(value);
  return value === null || value === undefined ? "" : escapeString(String(value));
}

/** What a value is inside `html` and in a template's output: SafeHtml unchanged, arrays joined, the rest escaped. */
export function toHtml(value: unknown): string {
  if (typeof value === "string") return escapeString(value);
  if (value instanceof SafeHtml) return value.html;
  if (value === null || value === undefined || value === false) return "";
  if (!Array.isArray(value)) return escapeString(String(value));
  let joined = "";
  for (const part of value) joined += toHtml(part);
  return joined;
}

/** Builds safe HTML: every value is escaped, except SafeHtml. Quote every attribute: `<a href="${safeUrl(url)}">${name}</a>`. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): SafeHtml {
  let out = strings[0] as string;
  for (let i = 0; i < values.length; i++) out += toHtml(values[i]) + (strings[i + 1] as string);
  return new SafeHtml(out);
}

/** Marks a string as safe. Only for HTML that this program made; never for anything that came from a person. */
export function raw(trusted: string): SafeHtml {
  return new SafeHtml(trusted);
}

const SAFE_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
// Browsers drop these inside or before a scheme: "java\tscript:" runs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const INVISIBLE = /[\u0000-\u0020\u007f-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u2060\ufeff]/g;

const PLAIN_PATH = /^\/[\w\-./]*$/; // what most addresses are, without a look at the rest

/** An address that may stand in `href` or `src`: http, https, mailto, tel or relative; anything else becomes "#". */
export function safeUrl(url: string): string {
  if (PLAIN_PATH.test(url)) return url;
  const beforeColon = url.slice(0, Math.max(0, url.indexOf(":")));
  if (!url.includes(":") || /[/?#]/.test(beforeColon)) return url.trim(); // a path: it has no scheme
  return SAFE_SCHEMES.has(beforeColon.replace(INVISIBLE, "").toLowerCase()) ? url.trim() : "#";
}
