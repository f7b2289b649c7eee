import { describe } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import { errors } from "./errors.ts";

/** `static comments` of a model: `true`, or with `internal` where comments may be hidden from those who do not change its records. */
export type ModelComments = boolean | { readonly internal: boolean };

/** What a model declares about its comments; undefined where its records have none. @throws FW_COMMENTS_OPTION */
export function commentsOf({ class: cls, constant }: ModelInfo): { readonly internal: boolean } | undefined {
  const given = (cls as { comments?: unknown }).comments;
  if (given === undefined || given === false) return undefined;
  if (given === true) return { internal: false };
  const { internal, ...rest } = (typeof given === "object" && given !== null ? given : {}) as { internal?: unknown };
  if (typeof internal !== "boolean" || Object.keys(rest).length > 0)
    throw errors.FW_COMMENTS_OPTION(constant, describe(given));
  return { internal };
}
