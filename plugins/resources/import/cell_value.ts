import type { ParamValue } from "framewright/host";
import { type PolymorphicInfo, readReference } from "framewright/plugins/database";
import { choiceLabel } from "../components/words.ts";
import type { ResourceController } from "../controller.ts";
import type { Attribute } from "../definition/attributes.ts";
import { choicesOf, columnLabel } from "../export/cell_text.ts";
import { isFormula, SEPARATOR } from "../export/csv_line.ts";
import { fieldLabel } from "../registration/resource_texts.ts";
import { LabelFinder } from "./find_labelled.ts";

/** A cell as its form would send it, or what is wrong with it: the key of a text. */
export type CellRead = { readonly value: ParamValue } | { readonly problem: string };

const WALL_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/;
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

  /** Of a column whose header says that its times are in UTC they are not the person's. */
  async read(cell: string, attribute: Attribute, header: string): Promise<CellRead> {
    const text = withoutApostrophe(cell);
    const { association, polymorphic, column } = attribute;
    if (polymorphic) return this.#polymorphic(text.trim(), polymorphic);
    if (association?.kind === "hasMany") return this.#several(text.trim(), attribute);
    if (association) return this.#one(text.trim(), attribute);
    if (column?.type === "boolean") return { value: this.#boolean(text.trim()) };
    if (column?.type === "datetime") return { value: this.#instant(text.trim(), attribute, header) };
    const choice = choiceNamed(this.#controller, attribute, text);
    if (choice !== undefined) return { value: choice };
    return { value: column && (column.type === "string" || column.type === "text") ? text : text.trim() };
  }

  #boolean(text: string): string {
    const word = text.toLowerCase();
    const said = (key: string) => this.#controller.t(key).toLowerCase();
    if (yes.includes(word) || word === said("framework.yes")) return "1";
    return no.includes(word) || word === said("framework.no") ? "0" : text;
  }

  #instant(text: string, attribute: Attribute, header: string): string {
    const [, day, time = "00:00"] = WALL_TIME.exec(text) ?? [];
    if (day === undefined) return text;
    const isUtc =
      header === columnLabel(this.#controller, attribute) &&
      header !== fieldLabel(this.#controller, this.#controller.registration, attribute, "listed");
    if (isUtc) return `${day}T${time}Z`;
    return this.#controller.request.timeZone.moment(`${day}T${time}`)?.toISOString() ?? text;
  }

  async #one(text: string, { association }: Attribute): Promise<CellRead> {
    if (text === "") return { value: "" };
    const found = await this.#labels.find(association!.target, text);
    return "id" in found ? { value: found.id } : { problem: `resource.import.${found.problem}` };
  }

  async #several(text: string, { association }: Attribute): Promise<CellRead> {
    if (text === "") return { value: [] };
    const whole = await this.#labels.find(association!.target, text);
    if ("id" in whole) return { value: [whole.id] };
    const ids: string[] = [];
    for (const one of text.split(SEPARATOR.trim())) {
      const found = await this.#labels.find(association!.target, one.trim());
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

/** Exports put an apostrophe before what a spreadsheet would run as a formula. */
export const withoutApostrophe = (text: string): string =>
  text.startsWith("'") && isFormula(text) ? text.slice(1) : text;

/** The value of the choice that a text names, by the value or by what people see of it. */
function choiceNamed(controller: ResourceController, attribute: Attribute, text: string): string | undefined {
  const all = choicesOf(controller, attribute);
  if (!all) return undefined;
  const word = text.trim();
  const named = all.find(({ value }) => value === text || value === word);
  const labelled = all.find((one) => choiceLabel(one).toLowerCase() === word.toLowerCase());
  return (named ?? labelled)?.value;
}
