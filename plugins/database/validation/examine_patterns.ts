import type { Finding } from "framewright/host";
import type { ModelInfo } from "../models/model_info.ts";

const MAX_MS = 50;
/** Growing sizes: a pattern that takes exponential time shows it at the first, one that takes quadratic time at the last. */
const SIZES = [24, 200, 2_000, 20_000];
const beginnings = ["", "https://a", "http://x?", "a@", "#", "-", "+"];
const parts = ["a", "1", " ", ".", "-", "/", "a.", "a-", "aA", "a "];
const ends = ["\n \u0001", "@", "!"];

/** What `fw doctor` finds of the patterns of models: those that take so long for a crafted text that others wait. */
export function examinePatterns(models: readonly ModelInfo[]): Finding {
  const slow = models.flatMap(({ constant, class: { validations } }) =>
    Object.entries(validations).flatMap(([name, { format }]) => {
      const chars = format && slowAt(format.with);
      return chars === undefined ? [] : [`${constant}.validations.${name}: ${format!.with} (${chars} characters)`];
    }),
  );
  return {
    what: "patterns of models",
    ok: slow.length === 0,
    detail:
      slow.length === 0
        ? `none took over ${MAX_MS} ms for texts of up to ${SIZES.at(-1)} characters that were made to be slow`
        : `${slow.join("; ")} took over ${MAX_MS} ms: let no two parts that repeat match the same characters, as in /^https?:\\/\\/[^\\s/]\\S*$/i for addresses, or add length: { maximum } to the attribute, which is checked first`,
  };
}

/** The number of characters at which a pattern takes too long; undefined for one that never does. */
function slowAt(pattern: RegExp): number | undefined {
  for (const size of SIZES)
    for (const beginning of beginnings)
      for (const part of parts)
        for (const end of ends) if (isSlow(pattern, beginning + part.repeat(size / part.length) + end)) return size;
  return undefined;
}

function isSlow(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  const start = process.cpuUsage();
  pattern.test(text);
  const { user, system } = process.cpuUsage(start);
  return user + system > MAX_MS * 1000;
}
