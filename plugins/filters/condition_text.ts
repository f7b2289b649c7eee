import { localeOf } from "framewright/host";
import { choiceLabel } from "framewright/plugins/fields/toolkit";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { ListChoices } from "framewright/plugins/resources/toolkit";
import type { FilterField, FilterValue } from "./condition_tree.ts";

const MAX_NAMED = 5;

/** What a condition states about its field: "from 1", "Packed or empty". */
export async function conditionText(
  controller: ResourceRequest,
  choices: ListChoices,
  field: FilterField,
  part: FilterValue,
): Promise<string> {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`filters.${key}`, vars);
  const given = typeof part === "string" ? { is: part } : part;
  const { is, not, contains, begins, ends, any, empty, in: days } = given as Record<string, string>;
  const own = field.choice && given[field.choice.operator];
  if (own !== undefined) return `${field.choice!.label}: ${namesOf(field, [own].flat()).join(", ")}`;
  const named = (values: readonly string[]) => valueTexts(controller, choices, field, values);
  if (any !== undefined) {
    const texts = [...(await named([given.any!].flat())), ...(empty === "1" ? [t("is_empty")] : [])];
    return texts.join(t("or"));
  }
  if (not !== undefined) return t("is_not", { value: (await named([given.not!].flat())).join(", ") });
  if (is !== undefined) return field.kind === "text" ? t("is", { value: is }) : (await named([is])).join();
  if (contains !== undefined) return t("contains", { value: contains });
  if (begins !== undefined) return t("begins", { value: begins });
  if (ends !== undefined) return t("ends", { value: ends });
  if (empty !== undefined) return t(empty === "1" ? "is_empty" : "is_filled");
  if (days !== undefined) return t(`days.${days}`);
  const [from, to] = [given.from, given.to].map((end) =>
    end === undefined ? end : endText(controller, field, String(end)),
  );
  if (from !== undefined && to !== undefined) return t("between", { from, to });
  return from === undefined ? t("at_most", { to }) : t("at_least", { from });
}

const namesOf = ({ choice }: FilterField, values: readonly string[]): string[] => {
  const labels = new Map(choice!.choices().map((one) => [one.value, choiceLabel(one)]));
  return values.map((one) => labels.get(one) ?? one);
};

/** A number or a day as people write it, where their language is not English. */
function endText({ request }: ResourceRequest, { kind, isDecimal }: FilterField, end: string): string {
  const locale = localeOf(request.locale);
  if (locale.isEnglish) return end;
  const day = kind.startsWith("date") && /^\d{4}-\d\d-\d\d$/.test(end) ? new Date(`${end}T00:00Z`) : undefined;
  if (day && !Number.isNaN(day.getTime())) return locale.dayText(day);
  return isDecimal ? locale.numbers.grouped(end) : end;
}

/** Values as people read them, the first of many: records by their labels, where they may see them. */
async function valueTexts(
  controller: ResourceRequest,
  choices: ListChoices,
  field: FilterField,
  values: readonly string[],
): Promise<string[]> {
  const shown = values.slice(0, MAX_NAMED);
  const left = values.length - shown.length;
  const more = left > 0 ? [controller.t("filters.more", { count: left })] : [];
  return [...(await textsOf(controller, choices, field, shown)), ...more];
}

async function textsOf(
  controller: ResourceRequest,
  choices: ListChoices,
  field: FilterField,
  values: readonly string[],
): Promise<string[]> {
  if (field.kind === "boolean")
    return values.map((one) => controller.t(one === "1" ? "framework.yes" : "framework.no"));
  if (field.kind !== "choice" && field.kind !== "record") return values.map((one) => endText(controller, field, one));
  const known = await choices.values(field, values);
  const labels = new Map(known.choices.map((one) => [one.value, choiceLabel(one)]));
  return values.map((one) => labels.get(one) ?? one);
}
