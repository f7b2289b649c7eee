import type { FieldErrors } from "framewright/host";
import type { AccountRecord } from "framewright/plugins/authlib";
import type { BaseModel } from "framewright/plugins/database";
import { errors } from "./errors.ts";

/** A text field of the welcome page. */
export interface WelcomeField {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  readonly required: boolean;
  readonly problems: readonly string[] | undefined;
}
/** What was typed, and what is wrong with it. */
export interface Typed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: FieldErrors;
}

/** The fields of a form of the welcome page, by the names of their columns. */
export const welcomeFields = (
  names: readonly string[],
  { values, errors: problems }: Typed,
  isRequired: (name: string) => boolean = () => true,
): WelcomeField[] =>
  names.map((name) => ({
    name,
    label: name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase()),
    value: values[name] ?? "",
    required: isRequired(name),
    problems: problems[name],
  }));

type Profile = BaseModel & Record<string, unknown>;
type WithProfile = AccountRecord & { findOrCreateProfile?(): Promise<unknown> };

/** The account's profile, created empty if there is none. @throws FW_WELCOME_PROFILE */
export async function profileOf(account: AccountRecord): Promise<Profile> {
  const found = await (account as WithProfile).findOrCreateProfile?.();
  if (!found) throw errors.FW_WELCOME_PROFILE(account.constructor.name);
  return found as Profile;
}

/** Whether a profile lacks one of these columns. */
export const isIncomplete = (profile: Profile, names: readonly string[]): boolean =>
  names.some((name) => [undefined, null, ""].includes(profile[name] as never));
