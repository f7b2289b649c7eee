import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { fetchAt, type HostedInit } from "./fetch_at.ts";

/** A visitor without JavaScript: keeps cookies, and sends forms as a browser would. */
export class Client {
  readonly url: string;
  /** The host name that this visitor requests; undefined: that of `url`. */
  readonly host: string | undefined;
  readonly #cookies = new Map<string, string>();

  constructor(url: string, { host }: { host?: string | undefined } = {}) {
    this.url = url;
    this.host = host;
  }

  /** A request with this visitor's cookies, at their host unless `init` names another; it follows no redirect by itself. */
  async request(path: string, init: HostedInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#cookies.size > 0)
      headers.set("cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const answer = await fetchAt(this.url + path, { host: this.host, ...init, headers });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return answer;
  }

  /** Keeps the cookie of a Set-Cookie line. */
  keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
  }

  /** Another visitor with the same cookies: a thief's copy, say. */
  copy(): Client {
    const copy = new Client(this.url, this);
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }
  /** Drops a cookie, as closing the browser does. */
  forget(name: string): void {
    this.#cookies.delete(name);
  }
  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  async page(path: string): Promise<string> {
    return (await this.request(path)).text();
  }

  /**
   * What a request for JSON is answered. The type is what the test expects of it; nothing compares them.
   * @example const { body } = await ann.json<{ data: { title: string } }>("/admin/posts/1")
   */
  async json<Body extends object = Record<string, unknown>>(path: string): Promise<{ status: number; body: Body }> {
    const answer = await this.request(path, { headers: { accept: "application/json" } });
    const text = await answer.text();
    return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Body };
  }

  /**
   * Opens a page, fills its form in and sends it. Hidden fields are sent as they stand; `fields` wins over what the
   * form holds. `match` picks the form by its tag, where a page has several; unless told, it is the one that is sent to
   * the page's own address, else the first, but for the menu's. A file is sent by its path, or by its name and bytes, in an
   * upload: `{ "post[cover]": { path: "test/cover.png" } }`, `{ "file": { name: "a.csv", content: "name\nAda\n" } }`.
   * @throws when the page has no such form
   */
  async submit(path: string, fields: Record<string, string | SentFile>, match?: RegExp): Promise<Response> {
    const html = await this.page(path);
    const forms = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].filter(([, tag]) => /method="post"/.test(tag!));
    const own = `action="${path.replace(/[?#].*/, "")}"`;
    const form = match
      ? forms.find(([, tag]) => match.test(tag!))
      : (forms.find(([, tag]) => tag!.includes(own)) ??
        forms.find(([, tag]) => !/action="[^"]*\/(?:logout|_locale)"/.test(tag!)) ??
        forms[0]);
    if (!form) throw new Error(`${path} holds no form${match ? ` that matches ${match}` : ""}`);
    const action = decode(/action="([^"]*)"/.exec(form[1]!)?.[1] ?? path);
    const texts = Object.fromEntries(Object.entries(fields).filter(([, one]) => typeof one === "string")) as FormValues;
    const sent = new URLSearchParams({ ...valuesOf(form[2]!), ...texts });
    for (const [name, values] of repeatedOf(form[2]!)) {
      if (name in texts) continue;
      sent.delete(name);
      for (const value of values) sent.append(name, value);
    }
    for (const [name, chosen] of severalOf(form[2]!)) {
      sent.set(name, "");
      for (const value of name in texts ? [texts[name]!] : chosen) if (value !== "") sent.append(name, value);
    }
    const files = Object.entries(fields).filter((one): one is [string, SentFile] => typeof one[1] !== "string");
    const body = files.length > 0 ? await multipart(sent, files) : sent;
    return this.request(action, { method: "POST", body });
  }
}

/** A file that a form sends: one of the disk, or a name and its content; its type is that of the name's ending unless given. */
export type SentFile =
  | { readonly path: string; readonly type?: string }
  | { readonly name: string; readonly content: string | Uint8Array<ArrayBuffer>; readonly type?: string };

const types: Readonly<Record<string, string>> = {
  ...{ ".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif", ".pdf": "application/pdf" },
  ...{ ".csv": "text/csv", ".txt": "text/plain", ".json": "application/json" },
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

async function multipart(sent: URLSearchParams, files: readonly [string, SentFile][]): Promise<FormData> {
  const body = new FormData();
  const given = new Set(files.map(([name]) => name));
  for (const [name, value] of sent) if (!given.has(name)) body.append(name, value);
  for (const [field, file] of files) {
    const name = "path" in file ? basename(file.path) : file.name;
    const content = "path" in file ? await readFile(file.path) : file.content;
    const type = file.type ?? types[extname(name).toLowerCase()] ?? "application/octet-stream";
    body.append(field, new File([content], name, { type }));
  }
  return body;
}

/** The values of a form by field name. */
export type FormValues = Record<string, string>;
/** A field of a form: its value, the type of its input, and what a list offers. */
export interface FormField {
  readonly value: string;
  readonly type: string;
  readonly options?: readonly string[];
  /** Of a file: what the input accepts, as `.pdf,image/*`. */
  readonly accept?: string;
}

/** The forms of a page that are sent by POST, with their fields. */
export function formsOf(html: string): { action: string; fields: Record<string, FormField> }[] {
  const forms = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].filter(([, tag]) => /method="post"/.test(tag!));
  return forms.map(([, tag, inner]) => {
    const fields: Record<string, FormField> = {};
    for (const [name, value] of Object.entries(valuesOf(inner!))) fields[name] = { value, type: "text" };
    for (const [input] of inner!.matchAll(/<input\b[^>]*>/g)) {
      const name = decode(/\bname="([^"]*)"/.exec(input)?.[1] ?? "");
      const type = /\btype="([^"]*)"/.exec(input)?.[1] ?? "text";
      const own = decode(/\bvalue="([^"]*)"/.exec(input)?.[1] ?? "");
      const options = type === "radio" ? [...(fields[name]?.options ?? []), own] : undefined;
      const accept = /\baccept="([^"]*)"/.exec(input)?.[1];
      if (name !== "" && (type !== "hidden" || !fields[name]?.value))
        fields[name] = {
          value: fields[name]?.value ?? "",
          type,
          ...(options && { options }),
          ...(accept && { accept }),
        };
    }
    for (const [, select, inside] of inner!.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
      const name = decode(/\bname="([^"]*)"/.exec(select!)?.[1] ?? "");
      const options = [...inside!.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => decode(value!));
      if (name !== "") fields[name] = { value: fields[name]?.value ?? "", type: "select", options };
    }
    return { action: decode(/action="([^"]*)"/.exec(tag!)?.[1] ?? ""), fields };
  });
}

/** What the inputs, areas and lists of a form hold. */
function valuesOf(html: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(tag)?.[1];
    const isOff = /type="(checkbox|radio)"/.test(tag) && !/\bchecked\b/.test(tag);
    if (name !== undefined && !isOff) values[decode(name)] = decode(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "");
  }
  for (const [, tag, text] of html.matchAll(/<textarea\b([^>]*)>\n?(.*?)<\/textarea>/gs)) {
    const name = /\bname="([^"]*)"/.exec(tag!)?.[1];
    if (name !== undefined) values[decode(name)] = decode(text!);
  }
  for (const [, tag, options] of html.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const name = /\bname="([^"]*)"/.exec(tag!)?.[1];
    const chosen = /<option value="([^"]*)"[^>]*\bselected/.exec(options!)?.[1];
    if (name !== undefined) values[decode(name)] = decode(chosen ?? "");
  }
  return values;
}

/** The values of inputs that share a name, as the keys of selected rows do: `ids[]`. */
function repeatedOf(html: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const name = decode(/\bname="([^"]*\[\])"/.exec(tag)?.[1] ?? "");
    const isOff = /type="(checkbox|radio)"/.test(tag) && !/\bchecked\b/.test(tag);
    if (name === "" || isOff || /type="file"/.test(tag)) continue;
    values.set(name, [...(values.get(name) ?? []), decode(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "")]);
  }
  return values;
}

/** What is chosen in the lists of a form that take several; a browser sends each, after the empty text of the hidden input. */
function severalOf(html: string): [name: string, chosen: readonly string[]][] {
  return [...html.matchAll(/<select\b([^>]*\bmultiple\b[^>]*)>(.*?)<\/select>/gs)].flatMap(([, tag, options]) => {
    const name = /\bname="([^"]*)"/.exec(tag!)?.[1];
    const chosen = [...options!.matchAll(/<option value="([^"]*)"[^>]*\bselected/g)].map(([, value]) => decode(value!));
    return name === undefined ? [] : [[decode(name), chosen] as [string, readonly string[]]];
  });
}

const decode = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
