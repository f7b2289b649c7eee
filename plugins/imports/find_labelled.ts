import { BaseModel, ModelInfo } from "framewright/plugins/database";
import { labelOf, type ResourceController } from "framewright/plugins/resources";
import { isLabelOpen, labelColumn, mayChoose } from "framewright/plugins/resources/toolkit";

/** How many records are compared by labels that their model makes itself. */
const MAX_COMPARED = 1000;
const MAX_REMEMBERED = 1000;

/** The id of a record, or why there is none: the key of a text below `resource.import`. */
export type Found = { readonly id: string } | { readonly problem: "no_record" | "several_records" };

/** Finds records by what people call them, among those that the person may choose; what was found is cached for the rows that follow. */
export class LabelFinder {
  readonly #controller: ResourceController;
  readonly #found = new Map<string, Found>();
  readonly #labels = new Map<ModelInfo, Promise<ReadonlyMap<string, readonly string[]>>>();

  constructor(controller: ResourceController) {
    this.#controller = controller;
  }

  /** By its label, else by its id. Whether the person may choose it is checked again where it is written. */
  async find(target: ModelInfo, text: string): Promise<Found> {
    const key = `${target.constant} ${text}`;
    const known = this.#found.get(key);
    if (known) return known;
    const found = await this.#search(target, text);
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear();
    this.#found.set(key, found);
    return found;
  }

  /** Whether the record of an id is called so: where several are, a record that refers to one of them keeps it. */
  async isCalled(target: ModelInfo, id: string, text: string): Promise<boolean> {
    const query = target.key.where(this.#visible(target), target.key.parse(id)!);
    const [record] = await this.#controller.resources.database.read(query.limit(1), target.class.labelAssociations);
    return record?.toLabel() === text;
  }

  async #search(target: ModelInfo, text: string): Promise<Found> {
    const ids = mayChoose(this.#controller, target) ? await this.#labelled(target, text) : [];
    if (ids.length > 1) return { problem: "several_records" };
    if (ids.length === 1) return { id: ids[0]! };
    const id = asId(target, text);
    return id === undefined ? { problem: "no_record" } : { id };
  }

  async #labelled(target: ModelInfo, text: string): Promise<readonly string[]> {
    const isOwn =
      target.class.prototype.toLabel !== BaseModel.prototype.toLabel ||
      target.inheritance !== undefined ||
      !isLabelOpen(this.#controller, target);
    if (isOwn) return (await this.#allLabels(target)).get(text) ?? [];
    const column = labelColumn(target);
    if (column === undefined) return [];
    const query = this.#visible(target).where(`${target.table}.${column}`, text).limit(2);
    const records = await this.#controller.resources.database.read(query);
    return records
      .filter((record) => labelOf(this.#controller, record) === text)
      .map((record) => String(ModelInfo.keyOf(record)));
  }

  #allLabels(target: ModelInfo): Promise<ReadonlyMap<string, readonly string[]>> {
    const known = this.#labels.get(target) ?? this.#readLabels(target);
    this.#labels.set(target, known);
    return known;
  }
  async #readLabels(target: ModelInfo): Promise<ReadonlyMap<string, readonly string[]>> {
    const query = target.key.order(this.#visible(target)).limit(MAX_COMPARED);
    const records = await this.#controller.resources.database.read(query, target.class.labelAssociations);
    const labels = new Map<string, string[]>();
    for (const record of records) {
      const label = labelOf(this.#controller, record);
      labels.set(label, [...(labels.get(label) ?? []), String(ModelInfo.keyOf(record))]);
    }
    return labels;
  }
  #visible(target: ModelInfo) {
    return this.#controller.resources.visible(this.#controller, target);
  }
}

/** An id, also as the label of a record without a name has it: `Post #3`. */
function asId(target: ModelInfo, text: string): string | undefined {
  const name = target.numberLabel("");
  const id = text.startsWith(name) ? text.slice(name.length) : text;
  return target.key.parse(id) === undefined ? undefined : id;
}
