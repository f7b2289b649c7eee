import { html } from "framewright/host";
import { losesDigits } from "framewright/plugins/database";
import { showFile, showJson } from "../components/displays.ts";
import { area, fileInput } from "../components/inputs.ts";
import { publicFile, readFile } from "../file_fields.ts";
import { byColumn, standard } from "./by_column.ts";
import { defineFieldType } from "./define.ts";

const ownJson = byColumn("json").read;

/** Documents, files and bytes. */
export const documentTypes = {
  json: defineFieldType({
    ...standard,
    read(given, by) {
      const read = ownJson(given, by);
      if ("problem" in read || by.ofRecord) return read;
      if (losesDigits(read.value)) return { problem: "errors.inexact_number" }; // code gets the value, and not its text
      return { value: withoutForbiddenKeys(read.value) };
    },
    column: { type: "json" },
    input: area(8, { class: "form-control fw-code", spellcheck: "false" }),
    display: showJson,
    wide: true,
    isSecondary: true,
  }),
  file: defineFieldType({
    ...standard,
    read: (given, by) => readFile(by, given),
    column: { type: "json" },
    input: fileInput,
    display: showFile,
    json: publicFile,
    wide: "form",
    isFile: true,
  }),
  binary: defineFieldType({
    ...standard,
    ...byColumn("binary"),
    input: null,
    display: (value) => html`<span>${Buffer.isBuffer(value) ? `${value.length} B` : "…"}</span>`,
  }),
};

/** Removes keys that could change a prototype. */
const withoutForbiddenKeys = (value: unknown): unknown =>
  value === null || typeof value !== "object"
    ? value
    : JSON.parse(JSON.stringify(value), (key, entry: unknown) => (forbidden.has(key) ? undefined : entry));
const forbidden = new Set(["__proto__", "constructor", "prototype"]);
