import type { Kernel } from "framewright/kernel";
import type {} from "framewright/plugins/attachments";
import type { ModelInfo } from "framewright/plugins/database";
import type { Registration } from "framewright/plugins/resources";
import type { MarkedRecords } from "./records.ts";

type Side = "a" | "b";

/** A picture of one pixel, so that there are thumbnails as well; what follows it changes nothing. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

/** The names by which a definition has files of the plugin attachments. */
export const fileFieldsOf = (registration: Registration | undefined): string[] =>
  [...(registration?.definition.handlers ?? [])].flatMap(([name, { plugin }]) =>
    plugin === "attachments" ? name : [],
  );

/** The files that the plugin attachments keeps of the marked records, with the mark of their tenant. */
export class AttachedFiles {
  readonly #numbers = new Map<string, string[]>();

  /** Attaches one to each field of the marked records. */
  async fill(kernel: Kernel, records: MarkedRecords): Promise<void> {
    if (!kernel.has("attachments")) return;
    const filled = new Set<string>();
    for (const registration of kernel.service("resources").registry.all())
      for (const field of fileFieldsOf(registration)) {
        const { model } = registration;
        const key = `${model.constant} ${field}`;
        if (filled.has(key) || !records.exclusive.includes(model)) continue;
        filled.add(key);
        for (const side of ["a", "b"] as const) await this.#attach(kernel, records, { model, field, side });
      }
    await kernel.service("attachments").drain();
  }
  /** The number of one file of a tenant's record: it is tried below the names of all fields. */
  numbers(model: ModelInfo, side: Side): string[] {
    return this.#numbers.get(`${model.constant} ${side}`) ?? [];
  }

  async #attach(
    kernel: Kernel,
    records: MarkedRecords,
    { model, field, side }: { model: ModelInfo; field: string; side: Side },
  ): Promise<void> {
    const record = (await records.get(model, side))!;
    const mark = records.marks[side];
    const file = { filename: `${mark}.png`, bytes: Buffer.concat([PICTURE, Buffer.from(mark)]) };
    const { id } = await kernel.service("attachments").attach(record, field, file, { alternative: mark });
    if (this.numbers(model, side).length === 0) this.#numbers.set(`${model.constant} ${side}`, [String(id)]);
  }
}
