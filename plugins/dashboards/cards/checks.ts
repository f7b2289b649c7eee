import { describe, didYouMean, suggest } from "framewright/kernel";
import { errors } from "../errors.ts";
import type { CardKind, CardOptions, CardWidth } from "./card.ts";

const common = ["label", "width", "policy", "link", "limit", "cache"];
const own: Readonly<Record<CardKind, readonly string[]>> = {
  metric: ["value", "format"],
  chart: ["type", "data", "format"],
  list: ["query", "rows", "text", "time", "empty"],
  table: ["query", "columns", "rows", "empty"],
  links: ["links", "empty"],
  custom: ["view", "locals"],
  waiting: [],
};
/** The functions that a card can't do without. */
const required: Readonly<Partial<Record<CardKind, string>>> = {
  metric: "value",
  chart: "data",
  list: "query",
  table: "query",
  links: "links",
};
const widths: readonly CardWidth[] = ["quarter", "third", "half", "two_thirds", "full"];
const types = ["line", "bar", "doughnut"];

/** Refuses a card that could not be shown. @throws FW_DASHBOARD_CARD */
export function checkCard(dashboard: string, kind: CardKind, key: string, options: CardOptions<never>): void {
  const refuse = (problem: string) => errors.FW_DASHBOARD_CARD(dashboard, key, problem);
  if (typeof key !== "string" || !/^[a-z][a-z0-9_]*$/.test(key))
    throw refuse("its key is part of an address, and takes small letters, digits and _, as in posts_by_week");
  if (typeof options !== "object" || options === null) throw refuse(`it takes options, got ${describe(options)}`);
  const known = [...common, ...own[kind]];
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw refuse(`${kind} has no option ${name}.${didYouMean(suggest(name, known))} It takes: ${known.join(", ")}`);
  }
  const problem = problemOf(kind, options as Record<string, unknown>);
  if (problem !== undefined) throw refuse(problem);
}

function problemOf(kind: CardKind, options: Record<string, unknown>): string | undefined {
  const { width, limit, rows, view, type, cache } = options;
  const name = required[kind];
  if (name !== undefined && typeof options[name] !== "function") return `${kind} requires the function ${name}`;
  if (kind === "custom" && typeof view !== "string") return "custom requires view, the name of a template";
  if (width !== undefined && !widths.includes(width as CardWidth))
    return `width is one of ${widths.join(", ")}, got ${describe(width)}`;
  if (type !== undefined && !types.includes(type as string))
    return `type is one of ${types.join(", ")}, got ${describe(type)}`;
  if (limit !== undefined && !(Number(limit) > 0)) return `limit is milliseconds above zero, got ${describe(limit)}`;
  if (rows !== undefined && !(Number.isInteger(rows) && Number(rows) > 0 && Number(rows) <= 100))
    return `rows is a number from 1 to 100, got ${describe(rows)}`;
  const seconds = typeof cache === "object" ? (cache as { seconds?: unknown } | null)?.seconds : cache;
  if (cache !== undefined && !(typeof seconds === "number" && seconds > 0))
    return `cache is seconds above zero, or { seconds, shared }, got ${describe(cache)}`;
  return undefined;
}
