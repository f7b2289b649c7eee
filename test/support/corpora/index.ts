import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of a corpus: what is expected, then what is sent. */
export interface Case {
  expected: string;
  /** As it is sent, byte for byte, in Latin-1. */
  sent: string;
  /** As it stands in the file, cut to a readable length. */
  name: string;
}

/**
 * The cases of a corpus, one line each: a word that is expected, a space, what is sent. `\r \n \t \0 \\ \xNN` are
 * escapes, `«text*1000»` is a text so often. Lines that begin with `# ` say what follows.
 */
export function corpus(name: string): Case[] {
  const lines = readFileSync(join(import.meta.dirname, `${name}.txt`), "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => {
      const [, expected = "", rest = ""] = /^(\S+) ?(.*)$/.exec(line) ?? [];
      return { expected, sent: unescaped(rest), name: rest.slice(0, 100) };
    });
}

const signs: Record<string, string> = { r: "\r", n: "\n", t: "\t", "0": "\0", "\\": "\\" };

function unescaped(text: string): string {
  const plain = text.replaceAll(/\\(?:x([0-9a-f]{2})|([rnt0\\]))/gi, (_, code: string | undefined, sign: string) =>
    code === undefined ? signs[sign]! : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain.replaceAll(/«([^«]+?)\*(\d+)»/g, (_, part: string, times: string) => part.repeat(Number(times)));
}
