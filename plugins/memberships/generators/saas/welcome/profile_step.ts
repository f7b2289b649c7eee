import { type ApplicationFiles, type ModelFile, usage } from "framewright/generators";
import { resourceOf } from "../../../../../generators/toolkit/index.ts";
import { isCredential } from "../../../../resources/generators/toolkit/index.ts";

/** The text columns of the profile of an account, by its migration. @throws FW_WELCOME_PROFILE_MISSING, FW_FLAG_VALUE for one without a text */
export function profileFields(app: ApplicationFiles, user: ModelFile): string[] {
  const constant = /\bprofile\s*:\s*hasOne\(\{[^}]*\bclass:\s*"([\w:]+)"/.exec(app.read(user.path))?.[1];
  if (constant === undefined) throw usage.FW_WELCOME_PROFILE_MISSING(user.constant);
  const { table } = resourceOf(app.model(constant).constant);
  const created = app
    .migrations()
    .map((path) => app.read(path))
    .find((text) => text.includes(`createTable("${table}"`));
  const names = [...(created ?? "").matchAll(/\bt\.string\("(\w+)"/g)].map(([, name]) => name!);
  const fields = names.filter((name) => !isCredential(name));
  if (fields.length === 0)
    throw usage.FW_FLAG_VALUE("--profile", `a profile with a text to ask for, as in name:string; ${constant} has none`);
  return fields;
}

/** The source of an existing page, which asks for the profile unless it does. */
export const withProfile = (text: string, profile: string): string =>
  /\bprofile:/.test(text) ? text : text.replace(/(WelcomePages\(\{)(\s*)/, `$1$2profile: ${profile},$2`);
