/** What a page would do in a browser that it must not: tags and attributes that nobody wrote on purpose. */
export function dangersOf(html: string): string[] {
  const dangers: string[] = [];
  const rest = html
    .replace(/^<!doctype html>/i, "")
    .replaceAll(
      /<(\/?)([a-z][\w-]*)((?:\s+[^\s=>"'<]+(?:="[^"]*")?)*)\s*\/?>/gi,
      (_, closing: string, tag: string, attributes: string) => {
        if (!closing) dangers.push(...dangersOfTag(tag.toLowerCase(), attributes));
        return "";
      },
    );
  for (const [, left] of rest.matchAll(/(<.{0,40})/gs)) dangers.push(`not a tag: ${left}`);
  return dangers;
}

function dangersOfTag(tag: string, attributes: string): string[] {
  const dangers: string[] = [];
  if (tag === "turbo-stream" || tag === "iframe" || tag === "object" || tag === "style") dangers.push(`<${tag}>`);
  if (tag === "script" && !/\ssrc="\/[^/"]/.test(attributes)) dangers.push(`<script${attributes}>`);
  for (const [, name = "", value = ""] of attributes.matchAll(/\s+([^\s=]+)(?:="([^"]*)")?/g)) {
    if (/^on|^style$|^srcdoc$/i.test(name)) dangers.push(`${name}="${value}"`);
    if (!/^(?:href|src|action|formaction|data-url|data-search-url|poster)$/i.test(name)) continue;
    if (!harmless.has(schemeOf(value))) dangers.push(`${name}="${value}"`);
  }
  return dangers;
}

const harmless = new Set(["http:", "https:", "mailto:", "tel:"]);
const signs: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** Where a browser would go; an address that it can't read leads nowhere. */
function schemeOf(value: string): string {
  const address = value.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, sign: string) => signs[sign]!);
  return URL.canParse(address, "http://shop.example/") ? new URL(address, "http://shop.example/").protocol : "http:";
}
