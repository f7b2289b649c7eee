/** Text of an element or an attribute; characters that XML can't have are left out. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

export const element = (name: string, text: string | undefined): string =>
  text === undefined ? "" : `<${name}>${escapeXml(text)}</${name}>`;
export const XML = '<?xml version="1.0" encoding="utf-8"?>\n';
