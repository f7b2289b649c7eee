import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/openapi";
import type {} from "framewright/plugins/resources";
import { checkboxesType } from "./checkboxes.ts";
import { combinedMacro, settleCombined } from "./combined.ts";
import { compositeTypes } from "./composite.ts";
import { describeFields } from "./describe_fields.ts";
import { phoneType } from "./phone.ts";
import { placeTypes } from "./places.ts";
import { quantityTypes } from "./quantities.ts";
import { tagTypes } from "./tags.ts";

export type { Combined, CombinedOptions } from "./combined.ts";

declare module "framewright/kernel" {
  interface Slots {
    extra_fields: {};
  }
}
declare module "framewright/plugins/fields" {
  interface FieldTypes {
    /** An exact text, in hundredths: `"12.5"` is 12.5 %. */
    percentage: string;
    /** In seconds. */
    duration: number;
    /** Between the ends of its `range`; a text where its column is a decimal. */
    range: number;
    /** From 1 to 5. */
    rating: number;
    /** A code of ISO 3166-1: `"DE"`. */
    country: string;
    /** A code of ISO 639-1: `"de"`. */
    language: string;
    tags: readonly string[];
    /** Days, either of which may be open. */
    period: { readonly from: string | null; readonly to: string | null };
    address: { readonly [K in "street" | "postcode" | "city" | "country"]: string | null };
    /** An exact amount, in the decimals of its currency. */
    amount: { readonly amount: string | null; readonly currency: string | null };
    /** A code of ISO 4217: `"EUR"`. */
    currency: string;
    /** Several of the field's choices. */
    checkboxes: readonly string[];
    /** As E.164: `"+493012345678"`; where libphonenumber-js is installed. */
    phone: string;
  }
}

/** Options of `extraFields()`. */
export interface ExtraFieldsOptions {
  /** The country of phone numbers that name none: "DE". Without it they begin with their country, as +49. */
  region?: string;
}

/** Types of fields: percentages, durations, sliders, ratings, countries, languages, tags, check boxes, and phone numbers where libphonenumber-js is installed. */
export function extraFields(options: ExtraFieldsOptions = {}): Plugin {
  checkOptions("extraFields", options, { region: option.string });
  return definePlugin({
    name: "extra_fields",
    directory: import.meta.dirname,
    requires: ["i18n", "resources"],
    provides: "extra_fields",
    apply({ services: { resources }, hooks }) {
      const types = { ...quantityTypes, ...placeTypes, ...tagTypes, ...compositeTypes, checkboxes: checkboxesType };
      for (const [name, type] of Object.entries(types)) resources.fieldTypes.add(name, type);
      resources.registry.definitionMacros.define("extra_fields", "combined", combinedMacro);
      hooks.resources.define.tap("extra_fields", (definition, place) => settleCombined(definition, place));
      if (hooks.openapi) describeFields(hooks.openapi.schema);
      const phone = phoneType(options.region);
      if (phone) resources.fieldTypes.add("phone", phone);
    },
  });
}
