import { catalogue, type FeatureEntry, featureEntry } from "../../../plugins/authlib/feature_catalogue.ts";
import { usage } from "../../errors.ts";
import type { OptionSpecs } from "../../generator.ts";
import { lowerCamel } from "../../support/names.ts";

/** What an account type has that is asked for without a word about features. */
export const defaultFeatures = [
  "login", "logout", "remember", "create_account", "verify_account", "reset_password", "change_password", "change_login",
  "close_account", "lockout", "active_sessions", "password_complexity", "security_mails",
] as const; // biome-ignore format: a list to read
/** The same without pages. */
export const apiFeatures = ["login", "logout", "lockout"] as const;

const bringing = ({ requires, requiresOne }: FeatureEntry) => {
  const others = requires.filter((name) => name !== "login"); // which is always there
  const brought = [...others, ...(requiresOne.length > 0 ? [requiresOne.join(" or ")] : [])];
  return brought.length > 0 ? `; brings ${brought.join(", ")}` : "";
};
export const featureOptions: OptionSpecs = Object.fromEntries(
  catalogue.map((entry) => [entry.name, { summary: entry.summary + bringing(entry) }]),
);

export type Flags = Readonly<Record<string, unknown>>;
export const isSet = (options: Flags, flag: string): boolean => options[lowerCamel(flag)] === true;

export interface Selection {
  /** In the framework's order. */
  features: string[];
  /** What was not asked for, and came along because another one needs it. */
  brought: { name: string; by: string }[];
}

/** The features with those that they need, as far as these are not `present`. */
export function withNeeded(asked: readonly string[], present: readonly string[] = []): Selection {
  const brought: Selection["brought"] = [];
  const found = new Set(asked);
  const has = (name: string) => found.has(name) || present.includes(name);
  for (const name of found) {
    const { requires = [], requiresOne = [] } = featureEntry(name) ?? {};
    const one = requiresOne.some(has) ? [] : requiresOne.slice(0, 1);
    for (const needed of [...requires, ...one]) {
      if (has(needed)) continue;
      found.add(needed);
      brought.push({ name: needed, by: name });
    }
  }
  return { features: catalogue.filter(({ name }) => found.has(name)).map(({ name }) => name), brought };
}

/**
 * What the flags of a new account type ask for: the defaults, and what is flagged beside them. One that is there, with the
 * features `present`, gets what is flagged alone. @throws FW_FLAGS_CLASH, FW_FLAG_NEEDS
 */
export function select(options: Flags, present?: readonly string[]): Selection {
  const isThere = present !== undefined;
  refuseContradictions(options, isThere);
  const flagged = catalogue.map(({ name }) => name).filter((name) => isSet(options, name));
  return withNeeded([...base(options, isThere), ...flagged], present);
}

function base(options: Flags, isThere: boolean): readonly string[] {
  if (isSet(options, "kitchen_sink")) return catalogue.map(({ name }) => name);
  if (isSet(options, "defaults")) return defaultFeatures;
  if (isThere) return [];
  if (isSet(options, "only")) return ["login"];
  return isSet(options, "api_only") ? apiFeatures : defaultFeatures;
}

const clashes = [
  ["api_only", "kitchen_sink"],
  ["api_only", "defaults"],
  ["api_only", "remember"], // a cookie of a browser
  ["only", "defaults"],
  ["only", "kitchen_sink"],
] as const;

function refuseContradictions(options: Flags, isThere: boolean): void {
  for (const pair of clashes) {
    if (pair.every((flag) => isSet(options, flag))) throw usage.FW_FLAGS_CLASH(pair.map((flag) => `--${flag}`));
  }
  const hasTokens = isThere || isSet(options, "jwt") || isSet(options, "jwt_refresh");
  if (isSet(options, "api_only") && !hasTokens)
    throw usage.FW_FLAG_NEEDS("--api_only", "--jwt", "without pages a token is what a login gives");
}
