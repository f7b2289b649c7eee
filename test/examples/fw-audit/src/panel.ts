import { html, type SafeHtml } from "framewright";
import type { Database, ModelInfo } from "framewright/plugins/database";
import type { PanelList, PanelPage } from "framewright/plugins/resources";
import { timeTag } from "framewright/plugins/views";
import type { Audit, AuditChange, AuditLine } from "./contract.ts";
import { type Words, whoOf } from "./who.ts";

/** Adds the last changes to the page of a record, where its policy has `canAudit()`. */
export function addPanel(audit: Audit, database: Database, panels: PanelList, page: PanelPage): void {
  const { controller, record, registration } = page;
  const words: Words = (key, vars) => controller.t(key, vars);
  const models = database.models().filter(({ table }) => table === registration.model.table);
  panels.add("audit", {
    title: words("audit.title"),
    policy: "audit",
    async content() {
      const filter = { models: models.map(({ constant }) => constant), record: String(record.$id()), limit: 20 };
      const { lines } = await audit.visible(controller, filter);
      const names = columnsOf(controller.listOf("Show", record), registration.model);
      return lines.length === 0 ? undefined : drawn(lines, names, words);
    },
  });
}

/** The columns behind the attributes that a person may see: of an amount its cents, of an association its key. */
const columnsOf = (attributes: readonly string[], model: ModelInfo): ReadonlySet<string> =>
  new Set(attributes.flatMap((name) => model.columnsOf(name)));

const drawn = (lines: readonly AuditLine[], names: ReadonlySet<string>, words: Words): SafeHtml =>
  html`<ul class="fw-rows">${lines.map((line) => item(line, names, words))}</ul>`;

function item(line: AuditLine, names: ReadonlySet<string>, words: Words): SafeHtml {
  const changes = Object.entries(line.changes).filter(([name]) => names.has(name));
  return html`<li>${timeTag(line.at)} ${whoOf(line, words)}: ${words(`audit.kinds.${line.kind}`)}
    <ul>${changes.map(([name, change]) => html`<li>${name}: ${textOf(change, words)}</li>`)}</ul></li>`;
}

function textOf(change: AuditChange, words: Words): string {
  if ("hidden" in change) return words("audit.hidden");
  const shown = (value: unknown) =>
    value === null ? words("audit.empty") : String(Object(value) === value ? JSON.stringify(value) : value);
  return `${shown(change.from)} → ${shown(change.to)}`;
}
