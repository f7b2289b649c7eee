import { localeOf, paramKey, type RequestContext } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";

/**
 * What a role is called within a sentence of a language: by the catalogue for the values of the first of these models that
 * it has texts for, as lists do (`models.organization_user.values.role.admin`), else by its name.
 */
export function roleName(
  { application: { texts } }: RequestContext,
  locale: string,
  role: string,
  models: readonly ModelInfo[],
): string {
  const keys = models.map(({ constant }) => `models.${paramKey(constant)}.values.role.${role}`);
  const key = texts && keys.find((one) => texts.has(one, locale));
  return key === undefined ? role.replaceAll("_", " ") : localeOf(locale).inSentence(texts!.t(key, {}, locale));
}
