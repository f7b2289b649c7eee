import { isUtf8 } from "node:buffer";
import { createRequire } from "node:module";
import { Refused } from "./refused.js";

/** Both are loaded for a text that is not UTF-8. */
const load = createRequire(import.meta.url);
const CHUNK_BYTES = 65_536;
const UNKNOWN = "\uFFFD";
/** What texts that are not UTF-8 are taken for where nothing else is likelier; the last one has a character for each byte. */
const USUAL = ["windows-1252", "iso-8859-15"];
/** Of texts whose lines end as those of old Macs. */
const ONLY_RETURNS = "macintosh";
/** What is recognised, as the Encoding Standard calls it: Windows' own have all letters of those of ISO. */
const RECOGNISED = {
  "ISO-8859-1": "windows-1252",
  "windows-1252": "windows-1252",
  "ISO-8859-2": "windows-1250",
  "windows-1250": "windows-1250",
  "ISO-8859-5": "windows-1251",
  "windows-1251": "windows-1251",
  "ISO-8859-7": "windows-1253",
  "windows-1253": "windows-1253",
  "ISO-8859-9": "windows-1254",
  "windows-1254": "windows-1254",
  "ISO-8859-8": "windows-1255",
  "windows-1255": "windows-1255",
  "ISO-8859-6": "windows-1256",
  "windows-1256": "windows-1256",
  "KOI8-R": "koi8-r",
  Shift_JIS: "shift_jis",
  "EUC-KR": "euc-kr",
  GB18030: "gb18030",
  Big5: "big5",
};
/** What is less is found by chance. */
const LEAST_CONFIDENCE = 15;
const RECOGNISED_BYTES = 32_768;
const MAX_LINES = 5;
const MAX_LINE_CHARS = 120;
const OTHER = /[^\p{ASCII}]/u;

/** A text in its encoding, in parts that can be read several times. `about`: the encoding that is not UTF-8, with lines that show it. @throws Refused */
export function openText(bytes, { encoding, mayGuess }) {
  const used = encodingOf(bytes, encoding, mayGuess);
  const parts = () => partsOf(bytes, used);
  const isShown = !used.startsWith("utf-");
  return {
    parts,
    head(chars) {
      let head = "";
      for (const part of parts()) {
        head += part;
        if (head.length >= chars) break;
      }
      return head.slice(0, chars);
    },
    about: used === "utf-8" ? {} : { encoding: used, ...(isShown ? { lines: linesWithLetters(parts()) } : {}) },
  };
}

function* partsOf(bytes, used) {
  let line = 1;
  const fail = (text, at) => {
    throw new Refused("encoding_wrong", { encoding: used, line: line + linesOf(text.slice(0, at)) });
  };
  for (const text of used.startsWith("utf-") ? unicode(bytes, used, fail) : other(bytes, used, fail)) {
    const zero = text.indexOf("\0");
    if (zero >= 0) throw new Refused("binary", { line: line + linesOf(text.slice(0, zero)) });
    line += linesOf(text);
    yield text;
  }
}

function* unicode(bytes, used, fail) {
  const decoder = new TextDecoder(used, { fatal: true });
  for (let at = 0; at <= bytes.length; at += CHUNK_BYTES) {
    const stream = at + CHUNK_BYTES <= bytes.length;
    let text;
    try {
      text = decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream });
    } catch {
      const shown = new TextDecoder(used).decode(bytes.subarray(at, at + CHUNK_BYTES));
      fail(shown, shown.indexOf(UNKNOWN));
    }
    yield text;
  }
}

function* other(bytes, used, fail) {
  const decoder = load("iconv-lite").getDecoder(used);
  for (let at = 0; at <= bytes.length; at += CHUNK_BYTES) {
    const isLast = at + CHUNK_BYTES > bytes.length;
    const text = decoder.write(bytes.subarray(at, at + CHUNK_BYTES)) + ((isLast && decoder.end()) || "");
    const wrong = text.indexOf(UNKNOWN);
    if (wrong >= 0) fail(text, wrong);
    yield text;
  }
}

function linesOf(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The first lines in which an encoding shows. */
function linesWithLetters(parts) {
  const lines = [];
  for (const part of parts)
    for (const line of OTHER.test(part) ? part.split(/[\r\n]/) : []) {
      const found = line.search(OTHER);
      if (found < 0) continue;
      const at = Math.max(0, found - MAX_LINE_CHARS / 2);
      lines.push(line.slice(at, at + MAX_LINE_CHARS));
      if (lines.length === MAX_LINES) return lines;
    }
  return lines;
}

/** A mark at the beginning is sure; else what was chosen, UTF-8 where the bytes are that, and a likely one to be confirmed. @throws Refused */
function encodingOf(bytes, chosen, mayGuess) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw new Refused("binary", { line: lineAt(bytes, zero) });
  if (chosen !== undefined && chosen !== "utf-8") return chosen;
  if (isUtf8(bytes)) return "utf-8";
  if (chosen === undefined && mayGuess) return likely(bytes);
  throw new Refused("encoding", { line: firstUnreadable(bytes) });
}

/** What the lines with other letters look like; a usual one where that has no such characters, or the same ones. */
function likely(bytes) {
  const all = [recognised(bytes), ...USUAL].filter((name) => name !== undefined);
  return all.find((name) => isReadable(bytes, name)) ?? USUAL[0];
}

function recognised(bytes) {
  if (bytes.includes(13) && !bytes.includes("\r\n")) return ONLY_RETURNS;
  const lines = otherLines(bytes);
  const [{ name, confidence } = {}] = load("chardet").analyse(lines);
  const found = confidence >= LEAST_CONFIDENCE ? RECOGNISED[name] : undefined;
  const { decode } = load("iconv-lite");
  return found !== undefined && decode(lines, found) !== decode(lines, USUAL[0]) ? found : undefined;
}

function isReadable(bytes, name) {
  try {
    for (const _ of partsOf(bytes, name));
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Lines that are more than ASCII, as many as are looked at. */
function otherLines(bytes) {
  const lines = [];
  let chars = 0;
  for (let start = 0; start < bytes.length && chars < RECOGNISED_BYTES; ) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, Math.min(end, start + RECOGNISED_BYTES));
    if (line.some((byte) => byte > 127)) chars += lines[lines.push(line) - 1].length;
    start = end;
  }
  return Buffer.concat(lines);
}

function lineAt(bytes, end) {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) line++;
  return line;
}

/** The first line that is no UTF-8: no character of it has a line feed inside. */
function firstUnreadable(bytes) {
  let [line, start] = [1, 0];
  for (;;) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line++;
  }
}
