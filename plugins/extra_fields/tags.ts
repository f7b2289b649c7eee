import { html, raw } from "framewright/host";
import { defineFieldType } from "framewright/plugins/fields";

const MAX_TAGS = 50;
const MAX_TAG_CHARS = 60;
/** The list of a text: as JSON, which exports write, or with commas. */
export function listOf(text: string): readonly unknown[] {
  if (text.trimStart().startsWith("[")) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list;
    } catch {
      // a text that begins so
    }
  }
  return text.split(",").map((one) => one.trim());
}

/** Each once, without spaces around it, in the order in which they were given. */
function tagsOf(given: readonly unknown[]) {
  if (!given.every((tag) => typeof tag === "string")) return { problem: "errors.wrong_shape" };
  if (given.some((tag) => tag.includes("\0"))) return { problem: "errors.wrong_shape" };
  if (given.some((tag) => tag.includes(","))) return { problem: "extra_fields.comma" }; // a form would read two of it
  const tags = [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
  if (tags.length > MAX_TAGS) return { problem: "extra_fields.too_many_tags", vars: { count: MAX_TAGS } };
  const long = tags.some((tag) => tag.length > MAX_TAG_CHARS);
  if (long) return { problem: "errors.too_long", vars: { count: MAX_TAG_CHARS } };
  return { value: tags.length > 0 ? tags : null };
}

/** A list of short texts. */
export const tagTypes = {
  tags: defineFieldType<readonly string[]>({
    filter: false,
    column: { type: "json" },
    read(given) {
      if (given === null || given === "") return { value: null };
      if (Array.isArray(given)) return tagsOf(given.filter((tag) => tag !== ""));
      return typeof given === "string" ? tagsOf(listOf(given)) : { problem: "errors.wrong_shape" };
    },
    text: (value) => [value].flat().join(", "),
    display: (value) =>
      html`<span class="fw-tags">${[value].flat().map((tag) => html`<span class="fw-tag">${tag}</span>${raw(" ")}`)}</span>`,
    sample: () => ["first", "second"],
  }),
};
