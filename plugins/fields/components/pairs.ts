import { html, type SafeHtml } from "framewright/host";
import type { FieldView } from "./types.ts";

/** What the two ends of a range are called. */
const ends = [
  ["from", "to"],
  ["from", "until"],
  ["start", "end"],
  ["starts", "ends"],
  ["begins", "ends"],
  ["min", "max"],
  ["minimum", "maximum"],
] as const;

/** Draws fields one below the other, and those beside each other that are read as one: the ends of a range, an amount and its currency. */
export function inPairs<T>(
  all: readonly T[],
  viewOf: (one: T) => FieldView | undefined,
  draw: (one: T) => SafeHtml,
): readonly SafeHtml[] {
  const drawn: SafeHtml[] = [];
  for (let at = 0; at < all.length; at++) {
    const [one, next] = [all[at]!, all[at + 1]];
    const isPaired = next !== undefined && isPair(viewOf(one), viewOf(next));
    drawn.push(isPaired ? html`<div class="fw-pair">${draw(one)}${draw(next)}</div>` : draw(one));
    if (isPaired) at += 1;
  }
  return drawn;
}

function isPair(one: FieldView | undefined, next: FieldView | undefined): boolean {
  if (!one || !next || isWide(one) || isWide(next)) return false;
  if (next.name === "currency" || next.name === `${one.name}_currency`) return one.type?.numeric === true;
  return ends.some(([from, to]) => one.name.split("_").includes(from) && replaced(one.name, from, to) === next.name);
}
const replaced = (name: string, from: string, to: string): string =>
  name
    .split("_")
    .map((part) => (part === from ? to : part))
    .join("_");
const isWide = ({ type }: FieldView): boolean => type?.frame !== "label" || type.wide !== false;
