import { html, type SafeHtml } from "framewright/host";
import { type DisplayOptions, defineFieldType } from "framewright/plugins/fields";

/** Rows or a group, as a handler of theirs has loaded them. */
export interface RowsValue {
  /** What the record's JSON has. */
  readonly json: unknown;
  readonly isEmpty: boolean;
  /** All of it, for the record's page. */
  page(options: DisplayOptions): SafeHtml;
  /** In a list: how many there are, and what. */
  cell(options: DisplayOptions): SafeHtml;
}

const shown = (draw: "page" | "cell") => (value: RowsValue, options: DisplayOptions) =>
  value.isEmpty ? html`<span class="fw-none">–</span>` : value[draw](options);

/** The first of some texts, and how many more there are; in a list no wider than other cells. */
export const listedTexts = (texts: readonly SafeHtml[], rest: number): SafeHtml =>
  html`<span class="fw-rows-cell"><span>${texts.map((text, index) => html`${index > 0 && ", "}${text}`)}</span>${rest > 0 && html`<small>+${rest}</small>`}</span>`;

/** The type of what has fields of its own: its inputs are drawn, and its values read, by the handlers of this plugin. */
const rowsOptions = {
  column: { type: "json" },
  frame: "none",
  wide: true,
  input: null,
  read: () => ({ problem: "errors.wrong_shape" }),
  display: shown("page"),
  cell: shown("cell"),
  json: ({ json }: RowsValue) => json,
  filter: false,
} as const;
export const rowsType = defineFieldType<RowsValue>({ ...rowsOptions, scaffold: false });
/** Names and their values, whose word a scaffold knows: `labels:key_value`. */
export const keyValueType = defineFieldType<RowsValue>({
  ...rowsOptions,
  isSecondary: true,
  sample: () => ({ size: "L" }) as unknown as RowsValue, // as its column has it
  rows: {
    key: "key",
    fields: {
      key: {
        as: "string",
        text: "nested_records.key",
        presence: true,
        length: { maximum: 255 },
        exclusion: ["__proto__", "constructor", "prototype"],
      },
      value: { as: "string", text: "nested_records.value" },
    },
    toRows: (value) => Object.entries(value).map(([key, text]) => ({ key, value: text })),
    fromRows: (rows) =>
      Object.fromEntries(rows.map(({ key, value }) => [String(key ?? ""), String(value ?? "")])) as never,
  },
});
