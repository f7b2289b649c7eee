import { type OptionSpecs, usage } from "framewright/generators";
import { lowerCamel } from "framewright/host/inflection";
import { catalogue, type FeatureEntry, featureEntry } from "framewright/plugins/authlib/catalogue";

/** The features of an account type that is generated without feature flags. */
export const defaultFeatures = [
  "login", "logout", "remember", "create_account", "verify_account", "reset_password", "change_password", "change_login",
  "close_account", "lockout", "active_sessions", "password_complexity", "security_mails",
] as const; // biome-ignore format: a list to read
/** The same with --api_only. */
export const apiFeatures = ["login", "logout", "lockout"] as const;

const requirementsText = ({ requires, requiresOne }: FeatureEntry) => {
  const others = requires.filter((name) => name !== "login"); // every account type has it
  const added = [...others, ...(requiresOne.length > 0 ? [requiresOne.join(" or ")] : [])];
  return added.length > 0 ? `; adds ${added.join(", ")}` : "";
};
/** Those of generators of their own: a sign-in by others needs a provider (`fw:authlib:oidc`), that of companies tenants (`fw:authlib:sso`). */
const unflagged: ReadonlySet<string> = new Set(["oidc_login", "tenant_sso"]);
const byFlag = catalogue.filter(({ name }) => !unflagged.has(name));
export const featureOptions: OptionSpecs = Object.fromEntries(
  byFlag.map((entry) => [entry.name, { summary: entry.summary + requirementsText(entry) }]),
);

export type Flags = Readonly<Record<string, unknown>>;
export const isSet = (options: Flags, flag: string): boolean => options[lowerCamel(flag)] === true;

export interface Selection {
  /** In the framework's order. */
  features: string[];
  /** Features that were added because another one requires them. */
  added: { name: string; by: string }[];
}

/** The features, with those that they require and that are not `present`. */
export function withRequirements(asked: readonly string[], present: readonly string[] = []): Selection {
  const added: Selection["added"] = [];
  const found = new Set(asked);
  const has = (name: string) => found.has(name) || present.includes(name);
  for (const name of found) {
    const { requires = [], requiresOne = [] } = featureEntry(name) ?? {};
    const one = requiresOne.some(has) ? [] : requiresOne.slice(0, 1);
    for (const needed of [...requires, ...one]) {
      if (has(needed)) continue;
      found.add(needed);
      added.push({ name: needed, by: name });
    }
  }
  return { features: catalogue.filter(({ name }) => found.has(name)).map(({ name }) => name), added };
}

/**
 * The features that the flags select: for a new account type the defaults and the flagged ones; for an existing one, with
 * the features `present`, only the flagged ones. @throws FW_FLAGS_CLASH, FW_FLAG_NEEDS
 */
export function selectFeatures(options: Flags, present?: readonly string[]): Selection {
  const exists = present !== undefined;
  refuseContradictions(options, exists);
  const flagged = byFlag.map(({ name }) => name).filter((name) => isSet(options, name));
  return withRequirements([...baseFeatures(options, exists), ...flagged], present);
}

function baseFeatures(options: Flags, exists: boolean): readonly string[] {
  if (isSet(options, "kitchen_sink")) return byFlag.map(({ name }) => name);
  if (isSet(options, "defaults")) return defaultFeatures;
  if (exists) return [];
  if (isSet(options, "only")) return ["login"];
  return isSet(options, "api_only") ? apiFeatures : defaultFeatures;
}

const clashes = [
  ["api_only", "kitchen_sink"],
  ["api_only", "defaults"],
  ["api_only", "remember"], // needs a browser cookie
  ["only", "defaults"],
  ["only", "kitchen_sink"],
] as const;

function refuseContradictions(options: Flags, exists: boolean): void {
  for (const pair of clashes) {
    if (pair.every((flag) => isSet(options, flag))) throw usage.FW_FLAGS_CLASH(pair.map((flag) => `--${flag}`));
  }
  const hasTokens = exists || isSet(options, "jwt") || isSet(options, "jwt_refresh");
  if (isSet(options, "api_only") && !hasTokens)
    throw usage.FW_FLAG_NEEDS("--api_only", "--jwt", "without pages a login has to return a token");
}
