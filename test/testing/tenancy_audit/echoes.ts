import type { Sent } from "./visitor.ts";

/** A name and a value that a request sent. */
interface SentPair {
  readonly name: string;
  readonly value: string;
}

/**
 * A text without what the request itself sent and an answer repeats: its query, each `name=value` of it, and the values of
 * inputs that a form shows again under the names under which they were sent; of a redirect and a refusal also the path, and of
 * a refusal its segments. A value anywhere else stays: a heading or a link that was built of the record it names is no echo.
 */
export function withoutEchoes(text: string, sent: Pick<Sent, "url" | "body" | "type">, status: number): string {
  let left = text;
  for (const echo of echoesOf(sent.url, status)) left = left.replaceAll(echo, "");
  const pairs = [...pairsOf(queryOf(sent.url)), ...pairsOf(formOf(sent))];
  return pairs.length === 0 ? left : withoutInputs(left, pairs);
}

/** What of an address may be repeated, in all forms in which pages, headers, logs and JSON have it; the longest first. */
function echoesOf(url: string, status: number): string[] {
  const query = queryOf(url);
  const texts = query === "" ? [] : [url, query, ...query.split("&").filter((pair) => /=./.test(pair))];
  if (status >= 300) texts.push(url, pathOf(url));
  if (status >= 400) texts.push(...segmentsOf(url));
  return [...new Set(texts.flatMap(formsOf))].sort((a, b) => b.length - a.length);
}

/** A text as it is sent, and as it is written into HTML, JSON and addresses. */
function formsOf(text: string): string[] {
  const once = encodeURIComponent(text);
  const plain = [text, decoded(text), once, encodeURIComponent(once), encodeURIComponent(decoded(text))];
  return plain.flatMap((form) => [form, escaped(form), escaped(form).replaceAll("&#39;", "&#x27;"), inJson(form)]);
}

/** Inputs, areas and options without a value that was sent under their name. */
function withoutInputs(text: string, pairs: readonly SentPair[]): string {
  const isSent = (name: string, value: string) => pairs.some((pair) => pair.name === name && pair.value === value);
  return text
    .replaceAll(/<input\b[^>]*>/g, (tag) => {
      const [name, value] = [attributeOf(tag, "name"), attributeOf(tag, "value")];
      return name !== undefined && value !== undefined && isSent(name, value) ? "<input>" : tag;
    })
    .replaceAll(/(<textarea\b[^>]*>)\n?([^<]*)(?=<\/textarea>)/g, (whole, tag: string, value: string) =>
      isSent(attributeOf(tag, "name") ?? "", unescaped(value)) ? tag : whole,
    );
}

const attributeOf = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : unescaped(value);
};

const pathOf = (url: string): string => url.replace(/[?#].*/, "");
const queryOf = (url: string): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
const formOf = ({ body = "", type = "" }: Pick<Sent, "body" | "type">): string =>
  type.includes("x-www-form-urlencoded") ? body : "";
const pairsOf = (query: string): SentPair[] =>
  [...new URLSearchParams(query)].filter(([, value]) => value !== "").map(([name, value]) => ({ name, value }));

/** A text without percent encoding, where it is encoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll("&amp;", "&");
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The names of what was looked for, as an error may repeat them. */
const segmentsOf = (url: string): string[] =>
  pathOf(url)
    .split("/")
    .flatMap((segment) => [segment, segment.replace(/\.json$/, "")])
    .filter((segment) => segment.length > MAX_PLAIN_SEGMENT);
/** Shorter segments are words and ids, and have no mark. */
const MAX_PLAIN_SEGMENT = 12;
