import { unprocessable } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { dayOrders } from "./inspected_file.ts";

/** What a program may send with a file. */
const known = ["file", "rows", "failing", "columns", "encoding", "sheet", "headers", "days"];

const choicesOf: Readonly<Record<string, readonly string[]>> = { failing: ["skip", "undo"], days: dayOrders };
const shown = known
  .map((name) => [name, name === "headers" ? "3" : choicesOf[name]?.join("|")].filter(Boolean).join("="))
  .join(", ");

/** Refuses what an import does not know: a choice that is misspelled would be another one in silence. @throws HttpError 422 */
export function checkProgramParams(controller: ResourceController): void {
  const { query, body } = controller.request;
  const unknown = [...query.keys(), ...body.keys()].filter((name) => !known.includes(name));
  for (const [name, choices] of Object.entries(choicesOf)) {
    const given = controller.params.string(name);
    if (given !== undefined && !choices.includes(given)) unknown.push(`${name}=${given}`);
  }
  const headers = controller.params.string("headers");
  if (headers !== undefined && !/^[1-9]\d{0,6}$/.test(headers)) unknown.push(`headers=${headers}`);
  if (unknown.length === 0) return;
  const text = (name: string) =>
    controller.t("resource.import.errors.param", { name: name.slice(0, 50), known: shown });
  throw unprocessable(unknown.map(text).join(" "), Object.fromEntries(unknown.map((name) => [name, [text(name)]])));
}
