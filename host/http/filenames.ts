const MAX_CHARS = 150;
/** Of a longer name the end counts, which has its type. */
const MAX_GIVEN_CHARS = 4096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const FORBIDDEN_CHARS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff<>:"|?*\\/]/g;

/** A file name that is safe to show: without path, control and direction characters, at most 150 characters. */
export function cleanFilename(given: string): string {
  const name = given
    .slice(-MAX_GIVEN_CHARS)
    .replace(/^.*[\\/]/s, "")
    .normalize("NFC")
    .replace(FORBIDDEN_CHARS, "")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const characters = [...name];
  if (characters.length <= MAX_CHARS) return wellFormed(name) || "file";
  const ending = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? "";
  return wellFormed(characters.slice(0, MAX_CHARS - ending.length).join("") + ending);
}

/** Removes unpaired surrogates, which can't be encoded. */
const wellFormed = (name: string) =>
  name.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");

/** The header that makes a browser save a file under its name (RFC 6266, RFC 5987). */
export function attachment(filename: string): string {
  const name = cleanFilename(filename);
  const plain = name.replace(/[^\x20-\x7e]|[%;]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
