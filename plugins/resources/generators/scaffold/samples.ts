import type { Field } from "../../../database/generators/toolkit/index.ts";

const samples: Readonly<Record<string, string>> = {
  email: '"ann@example.com"',
  tel: '"+41 31 000 00 00"',
  url: '"https://example.com"',
  color: '"#aabbcc"',
  file: '{ key: "0", filename: "a.txt", type: "text/plain", size: 1 }',
};

/** As a document has it. */
const storedSample = (field: Field): string =>
  field.type === "datetime" ? '"2026-01-31T12:00:00.000Z"' : field.type === "money" ? '"1.00"' : sampleOf(field);

/** A value for a test, as code. */
export function sampleOf({ type, input, sample, values, name, size, default: fallback, rows }: Field): string {
  if (rows) return `[{ ${rows.map((row) => `${row.name}: ${storedSample(row)}`).join(", ")} }]`;
  if (fallback !== undefined) return type === "bigint" && /^-?\d/.test(fallback) ? JSON.stringify(fallback) : fallback;
  if (sample !== undefined) return sample;
  if (values) return JSON.stringify(values[0]);
  if (input !== undefined && input in samples) return samples[input]!;
  switch (type) {
    case "integer":
    case "float":
    case "money":
      return "1";
    case "bigint":
      return '"1"';
    case "decimal":
      return size[0] !== undefined && size[0] === size[1] ? '"0"' : '"1"';
    case "boolean":
      return "true";
    case "date":
      return '"2026-01-31"';
    case "datetime":
      return 'new Date("2026-01-31T12:00:00Z")';
    case "time":
      return '"12:00:00"';
    case "json":
      return "{}";
    case "uuid":
      return '"00000000-0000-4000-8000-000000000001"';
    default:
      return JSON.stringify(name.slice(0, size[0] ?? 255));
  }
}
