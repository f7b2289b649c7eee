import type { ApplicationFiles, ModelFile } from "framewright/generators";
import { demodulize } from "framewright/host/inflection";
import { accountModelOf } from "../../../../generators/toolkit/index.ts";

/** The options that every generator of profiles has. */
export const userOption = {
  user_model: { summary: "The model of the accounts; User by default", value: "CLASS" },
} as const;

/** The class and the fields of the arguments: a name starts with a capital letter. */
export function splitArguments(args: readonly string[]): { name: string | undefined; fields: readonly string[] } {
  const [first, ...rest] = args;
  return first !== undefined && /^[A-Z]/.test(first)
    ? { name: first, fields: rest }
    : { name: undefined, fields: args };
}

/** The model of the accounts that `--user_model` names. @throws FW_ACCOUNT_MODEL_UNKNOWN, FW_ACCOUNT_MODEL_PLAIN */
export function userModelOf(app: ApplicationFiles, options: object): ModelFile {
  const { userModel = "User" } = options as { userModel?: string };
  return accountModelOf(app, userModel);
}

export const defaultName = (user: ModelFile): string => `${demodulize(user.constant)}Profile`;
