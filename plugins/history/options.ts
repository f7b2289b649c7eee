import { describe } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import { errors } from "./errors.ts";

/** How long entries are stored; forever by default. */
export interface KeepFor {
  readonly days: number;
}
/** `static history` of a model. */
export interface ModelHistory {
  /** How long the entries of the model are stored, in place of the plugin's option. */
  readonly keepFor?: KeepFor;
}

/** What `static history` of a model, or of one that it extends, declares; false where nothing is recorded. @throws FW_HISTORY_STATIC */
export function historyOf({ class: cls, constant }: ModelInfo): false | ModelHistory {
  const { history = {} } = cls as { history?: unknown };
  if (history === false) return false;
  if (history === true) return {};
  const { keepFor, ...rest } = Object(history) as { keepFor?: { days?: unknown } };
  const isPlain = typeof history === "object" && Object.keys(rest).length === 0;
  if (!isPlain || (keepFor !== undefined && !isKeepFor(keepFor)))
    throw errors.FW_HISTORY_STATIC(constant, describe(history));
  return history as ModelHistory;
}

export const isKeepFor = (value: unknown): value is KeepFor => {
  const { days } = Object(value) as { days?: unknown };
  return typeof days === "number" && days > 0 && Object.keys(Object(value) as object).length === 1;
};
