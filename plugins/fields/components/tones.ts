import type { Tone } from "./displays.ts";

/** States by the words that people call them, where nobody sets their tones. */
const words: Readonly<Record<Exclude<Tone, "neutral">, string>> = {
  success:
    "accepted active approved completed confirmed delivered done finished fulfilled live paid passed published ready resolved sent shipped signed succeeded verified won",
  warning: "awaiting delayed expiring hold in_review late on_hold partial paused pending review unpaid waiting",
  danger: "blocked bounced canceled cancelled declined error expired failed lost overdue refused rejected",
  info: "in_progress new open planned processing running scheduled started",
};
/** Module-level: built once from the words above, and never changed. */
const tones: ReadonlyMap<string, Tone> = new Map(
  Object.entries(words).flatMap(([tone, list]) => list.split(" ").map((word) => [word, tone as Tone] as const)),
);

/** The tone of a state by its word, as `In review` or `waiting_for_parts`; neutral for a word that is not known. */
export function toneOfWord(state: string): Tone {
  const word = state
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return tones.get(word) ?? (/^(a?waiting|pending)_/.test(word) ? "warning" : "neutral");
}
