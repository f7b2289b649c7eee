import { createRequire } from "node:module";
import { html } from "framewright/host";
import { defineFieldType, type FieldType, inputBox } from "framewright/plugins/fields";

type Parse = typeof import("libphonenumber-js/min").parsePhoneNumberFromString;

/** The parser of libphonenumber-js; undefined where the application has not installed it. Its metadata is read with the first number. */
function parser(): (() => Parse) | undefined {
  const load = createRequire(import.meta.url);
  try {
    load.resolve("libphonenumber-js/min");
  } catch {
    return undefined;
  }
  let parse: Parse | undefined;
  return () => {
    parse ??= (load("libphonenumber-js/min") as { parsePhoneNumberFromString: Parse }).parsePhoneNumberFromString;
    return parse;
  };
}

/** Numbers of telephones, stored as E.164: "+493012345678". Those without a country are of the region; undefined without libphonenumber-js. */
export function phoneType(region: string | undefined): FieldType<string> | undefined {
  const parse = parser();
  if (!parse) return undefined;
  const shown = (value: string): string => parse()(value)?.formatInternational() ?? value;
  return defineFieldType<string>({
    column: { type: "string", size: [16] },
    input: inputBox("tel", { autocomplete: "tel" }),
    coerce(text) {
      if (text.length > 60) return { problem: "extra_fields.not_a_phone" };
      const found = parse()(text, region as Parameters<Parse>[1] & string);
      if (found?.isValid() && !found.ext) return { value: found.number };
      return { problem: found || region ? "extra_fields.not_a_phone" : "extra_fields.phone_without_country" };
    },
    text: shown,
    json: (value) => value,
    display: (value) => html`<a href="tel:${value}">${shown(value)}</a>`,
    filter: false,
    isLink: true,
    sample: () => "+493012345678",
  });
}
