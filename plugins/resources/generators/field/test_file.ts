import type { GeneratorContext, ModelFile } from "framewright/generators";
import { demodulize } from "framewright/host/inflection";
import { resourceOf, spanFrom, withEntry } from "../../../../generators/toolkit/index.ts";
import { type Field, isReference } from "../../../database/generators/toolkit/index.ts";
import { sampleOf } from "../scaffold/samples.ts";

/** Gives the record of the scaffold's test the required fields; prints those that it has no place or no value for. */
export function addToTest(
  { changes, note }: Pick<GeneratorContext, "changes" | "note">,
  { constant }: ModelFile,
  fields: readonly Field[],
): void {
  const path = `test/resources/${resourceOf(constant).path}.test.ts`;
  const insert = new RegExp(`const saved = await app\\.query\\(${demodulize(constant)}\\)\\.insert\\(\\{`);
  if (!insert.test(changes.read(path) ?? "")) return;
  for (const field of fields.filter(({ nullable, attached }) => !nullable && !attached)) {
    if (isReference(field)) {
      note(`\n${path} saves a record of ${constant} without ${field.name}, which is required: give it one.`);
      continue;
    }
    changes.edit(path, (text) => {
      const found = insert.exec(text)!;
      const span = spanFrom(text, found.index + found[0].length - 1)!;
      const hasIt = new RegExp(`\\b${field.column}:`).test(text.slice(span.open, span.close));
      return hasIt ? text : withEntry(text, span, `${field.column}: ${sampleOf(field)}`);
    });
  }
}
