import { html } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { defineFieldType, type FieldType, inputBox } from "framewright/plugins/fields";
import type {} from "framewright/plugins/resources";

/** As in `#aabbcc`, in lower case. */
export type Colour = `#${string}`;

declare module "framewright/plugins/fields" {
  interface FieldTypes {
    colour: Colour;
  }
}

/** Options of `colour()`. */
export interface ColourOptions {
  /** The colours that may be used; all, unless it is given. */
  palette?: readonly Colour[];
}

const isColour = (text: string): text is Colour => /^#[0-9a-f]{6}$/.test(text);
const swatch = (value: Colour) =>
  html`<svg class="fw-colour" width="16" height="16" role="img" aria-label="${value}"><rect width="16" height="16" fill="${value}"/></svg>`;

/** The type of fields `as: "colour"`. */
export const colourType = (palette?: readonly Colour[]): FieldType<Colour> =>
  defineFieldType<Colour>({
    column: { type: "string", size: [7] },
    input: inputBox("text", { maxlength: 7, spellcheck: "false", "data-colour": true }),
    coerce(text) {
      const value = text.trim().toLowerCase().replace(/^#?/, "#");
      return isColour(value) ? { value } : { problem: "is not a colour, as in #aabbcc" };
    },
    validate: (value) => palette === undefined || palette.includes(value) || "is not in the palette",
    display: (value) => html`${swatch(value)} <code>${value}</code>`,
    cell: swatch,
    filter: { apply: (query, column, value) => query.where(column, value) },
    sample: () => palette?.[0] ?? "#aabbcc",
  });

/** Fields that are colours: of resources, interactions and wizards. */
export function colour(options: ColourOptions = {}): Plugin {
  checkOptions("colour", options, { palette: option.strings });
  return definePlugin({
    name: "fw-colour",
    requires: ["resources"],
    apply: ({ services }) => services.resources.fieldTypes.add("colour", colourType(options.palette)),
  });
}
