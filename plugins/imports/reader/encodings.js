import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { Refused } from "./refused.js";

const CHUNK_BYTES = 65_536;
/** What texts that are not UTF-8 are taken for, until somebody says otherwise. */
const USUAL = "windows-1252";
const UNKNOWN = "\uFFFD";

/** The texts of a file in turn, and what it begins with. `used`: its encoding. @throws Refused */
export function decode(bytes, { encoding, mayGuess, headChars }) {
  const used = encodingOf(bytes, encoding, mayGuess);
  const wide = used.startsWith("utf-16");
  const zero = wide ? -1 : bytes.indexOf(0);
  if (zero >= 0) throw new Refused("binary", { line: lineAt(bytes, zero) });
  const head = iconv.decode(bytes.subarray(0, headChars * 2), used).slice(0, headChars);
  return { used, head, texts: texts(bytes, used) };
}

function* texts(bytes, used) {
  const decoder = iconv.getDecoder(used);
  const isUnicode = used.startsWith("utf-");
  let line = 1;
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const text = decoder.write(bytes.subarray(at, at + CHUNK_BYTES));
    const wrong = isUnicode ? -1 : text.indexOf(UNKNOWN);
    if (wrong >= 0) throw new Refused("encoding_wrong", { encoding: used, line: line + linesOf(text.slice(0, wrong)) });
    line += linesOf(text);
    yield text;
  }
  const rest = decoder.end();
  if (rest) yield rest;
}

function linesOf(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** A mark at the beginning is sure; else what was chosen, UTF-8 where the bytes are that, and the usual one to be confirmed. @throws Refused */
function encodingOf(bytes, chosen, mayGuess) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (chosen !== undefined && chosen !== "utf-8") return chosen;
  if (isUtf8(bytes)) return "utf-8";
  if (chosen === undefined && mayGuess && bytes.indexOf(0) < 0) return USUAL;
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw new Refused("binary", { line: lineAt(bytes, zero) });
  throw new Refused("encoding", { line: firstUnreadable(bytes) });
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
