import type { ParamValue, TimeZone } from "framewright/host";
import { type BaseModel, type PolymorphicInfo, readReference } from "framewright/plugins/database";
import { choicesOf, isInstant, splitLabels } from "framewright/plugins/exports";
import { choiceLabel } from "framewright/plugins/fields/toolkit";
import type { Attribute, ResourceController } from "framewright/plugins/resources";
import { isWholeDay, readDay, readTime } from "./day_text.ts";
import { LabelFinder } from "./find_labelled.ts";
import type { DayOrder } from "./inspected_file.ts";
import { writtenOut } from "./number_text.ts";

/** What a column declares about its cells. */
export interface CellForm {
  readonly attribute: Attribute;
  /** How days such as 3/4/2026 are read. */
  readonly days: DayOrder | undefined;
  /** The zone of its times; undefined for that of the person. */
  readonly zone: TimeZone | undefined;
  /** The record that the row changes. */
  readonly record?: BaseModel | undefined;
}

/** A cell as its form would send it, or what is wrong with it: the key of a text. */
export type CellRead = { readonly value: ParamValue } | { readonly problem: string };

const yes = ["1", "true", "t", "yes", "y", "on", "x"];
const no = ["0", "false", "f", "no", "n", "off"];

/** Turns the text of cells into what the forms of a resource send. */
export class CellReader {
  readonly #controller: ResourceController;
  readonly #labels: LabelFinder;

  constructor(controller: ResourceController) {
    this.#controller = controller;
    this.#labels = new LabelFinder(controller);
  }

  async read(text: string, form: CellForm): Promise<CellRead> {
    const { attribute } = form;
    const { association, polymorphic, column, handler } = attribute;
    if (handler) return { value: text.trim() }; // a document, which the plugin reads that serves it
    if (polymorphic) return this.#polymorphic(text.trim(), polymorphic);
    if (association?.kind === "hasMany") return this.#several(text.trim(), attribute);
    if (association) return this.#one(text, form);
    if (column?.type === "boolean") return { value: this.#boolean(text.trim()) };
    if (column?.type === "date") return { value: dayIn(text.trim(), form) };
    if (column?.type === "time") return { value: timeIn(text.trim()) };
    if (isInstant(attribute)) return { value: this.#instant(text.trim(), form) };
    const choice = choiceNamed(this.#controller, attribute, text);
    if (choice !== undefined) return { value: choice };
    if (column?.type === "string" || column?.type === "text") return { value: text };
    return { value: column?.type === "json" ? text.trim() : writtenOut(text.trim()) };
  }

  #boolean(text: string): string {
    const word = text.toLowerCase();
    const said = (key: string) => this.#controller.t(key).toLowerCase();
    if (yes.includes(word) || word === said("framework.yes")) return "1";
    return no.includes(word) || word === said("framework.no") ? "0" : text;
  }

  /** A time without a zone is that of the header, else of the person. */
  #instant(text: string, { days, zone = this.#controller.request.timeZone }: CellForm): string {
    const read = readDay(text, days);
    if (!read) return text;
    const wall = `${read.day}T${read.time || "00:00"}`;
    return read.zone === "" ? (zone.moment(wall)?.toISOString() ?? text) : wall + read.zone;
  }

  async #one(text: string, { attribute: { association }, record }: CellForm): Promise<CellRead> {
    const plain = text.trim();
    if (plain === "") return { value: "" };
    const { target, key } = association!;
    let found = await this.#labels.find(target, text);
    if ("problem" in found && plain !== text) found = await this.#labels.find(target, plain);
    const current = (record && key.of(record)) ?? undefined;
    const isSeveral = "problem" in found && found.problem === "several_records";
    if (isSeveral && current !== undefined && (await this.#labels.isCalled(target, String(current), plain)))
      return { value: String(current) };
    return "id" in found ? { value: found.id } : { problem: `resource.import.${found.problem}` };
  }

  async #several(text: string, { association }: Attribute): Promise<CellRead> {
    if (text === "") return { value: [] };
    const whole = await this.#labels.find(association!.target, text);
    if ("id" in whole) return { value: [whole.id] };
    const ids: string[] = [];
    for (const one of splitLabels(text)) {
      const found = await this.#labels.find(association!.target, one);
      if ("problem" in found) return { problem: `resource.import.${found.problem}` };
      ids.push(found.id);
    }
    return { value: ids };
  }

  async #polymorphic(text: string, polymorphic: PolymorphicInfo): Promise<CellRead> {
    if (text === "" || readReference(polymorphic, text)) return { value: text };
    const found: string[] = [];
    for (const [name, target] of polymorphic.targets) {
      const one = await this.#labels.find(target, text);
      if ("problem" in one && one.problem === "several_records") return { problem: "resource.import.several_records" };
      if ("id" in one && one.id !== text) found.push(`${name}/${one.id}`);
    }
    if (found.length === 1) return { value: found[0]! };
    return { problem: `resource.import.${found.length === 0 ? "no_record" : "several_records"}` };
  }
}

/** A day as programs write it; a text that is none as it is, which its field refuses. */
function dayIn(text: string, { days }: CellForm): string {
  const read = readDay(text, days);
  return read && isWholeDay(read) ? read.day : text;
}

/** A time as programs write it: `08:00`. */
function timeIn(text: string): string {
  const read = readTime(text);
  return read && read.zone === "" ? read.time : text;
}

/** The value of the choice that a text names, by the value or by what people see of it. */
function choiceNamed(controller: ResourceController, attribute: Attribute, text: string): string | undefined {
  const all = choicesOf(controller, attribute);
  if (!all) return undefined;
  const word = text.trim();
  const named = all.find(({ value }) => value === text || value === word);
  const labelled = all.filter((one) => choiceLabel(one).toLowerCase() === word.toLowerCase());
  return (named ?? (labelled.length === 1 ? labelled[0] : undefined))?.value;
}
