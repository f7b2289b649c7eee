import { html, raw } from "framewright/host";
import { showLink, showLongText } from "../components/displays.ts";
import { textFilter } from "../components/filter_inputs.ts";
import { area, box, colorInput, hiddenInput, passwordInput } from "../components/inputs.ts";
import { showMarkdown } from "../components/markdown.ts";
import { markdownInput } from "../components/markdown_input.ts";
import { contains } from "../contains.ts";
import { byColumn, standard } from "./by_column.ts";
import { defineFieldType } from "./define.ts";
import type { FieldTypeOptions } from "./field_type.ts";

const line = { ...standard, ...byColumn("string") };
const lines = {
  ...standard,
  ...byColumn("text"),
  display: showLongText,
  wide: true,
  column: { type: "text" },
} as const;

/** Texts of a shape; those of a record have the rules of its model. */
const shaped = (shape: RegExp): Pick<FieldTypeOptions, "validate"> => ({
  validate: (value, { ofRecord }) => ofRecord === true || shape.test(String(value)) || "errors.invalid",
});

const withoutSpaces = (read: (text: string) => string): FieldTypeOptions["read"] => {
  const own = line.read;
  return (given, by) => own(typeof given === "string" ? read(given.trim()) : given, by);
};
/** The part of an address before its last @ is its mail server's own; the domain is the same in any case. */
const emailOf = (text: string): string => text.replace(/@[^@]*$/, (domain) => domain.toLowerCase());
/** The scheme and the host of an address, without the part before an @, are the same in any case. */
const urlOf = (text: string): string =>
  text.replace(/^([a-z]+:\/\/)((?:[^/?#]*@)?)([^/?#@]*)/i, (_, scheme: string, user: string, host: string) => {
    return `${scheme.toLowerCase()}${user}${host.toLowerCase()}`;
  });

/** Texts of one line, of several, and of a certain shape. */
export const textTypes = {
  string: defineFieldType(line),
  uuid: defineFieldType({
    ...line,
    ...shaped(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
    display: (value) => html`<code>${String(value)}</code>`,
    column: { type: "uuid" },
  }),
  text: defineFieldType({
    ...lines,
    input: area(5),
    filter: {
      input: textFilter,
      apply: (query, column, value) => contains(query, column, String(value)),
      onlyNamed: true,
    },
  }),
  markdown: defineFieldType({
    ...lines,
    input: markdownInput,
    display: showMarkdown,
  }),
  email: defineFieldType({
    ...line,
    ...shaped(/^[^\s@]+@[^\s@]+$/),
    read: withoutSpaces(emailOf),
    input: box("email", { autocomplete: "email" }),
    display: showLink("mailto:"),
    isLink: true,
  }),
  url: defineFieldType({
    ...line,
    ...shaped(/^https?:\/\/[^\s/]\S*$/i),
    read: withoutSpaces(urlOf),
    input: box("url"),
    display: showLink(""),
    isLink: true,
  }),
  tel: defineFieldType({ ...line, input: box("tel"), display: showLink("tel:"), isLink: true }),
  color: defineFieldType({
    ...line,
    ...shaped(/^#[0-9a-f]{6}$/i),
    input: colorInput,
    display: (value) => html`<code class="fw-color">${String(value)}</code>`,
  }),
  password: defineFieldType({ ...line, input: passwordInput, display: () => raw("••••••••"), isSecret: true }),
  hidden: defineFieldType({ ...line, input: hiddenInput, frame: "none" }),
};
