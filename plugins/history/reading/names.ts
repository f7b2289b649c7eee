import type { BaseController } from "framewright/host";
import type { HistoryPerson, StoredEntry } from "../contract.ts";

/** Of an address the part before its domain. */
export const plain = ({ label }: HistoryPerson): string => label.split("@")[0] || label;

/** Whether people of a change may be named: within a portal that is scoped to tenants those of this portal alone. */
export const areNamed = ({ request }: BaseController, { portal }: StoredEntry): boolean =>
  request.engine?.tenantRule === undefined || portal === request.engine.name;

/** What the person of a change is called to the reader: "Ann", "Ann for Bob", "Somebody"; of nobody undefined. */
export function nameOf(controller: BaseController, entry: StoredEntry): string | undefined {
  const { person, actor } = entry;
  if (!person) return undefined;
  if (!areNamed(controller, entry)) return controller.t("history.somebody");
  return actor ? controller.t("history.acting", { actor: plain(actor), person: plain(person) }) : plain(person);
}

/** Who a change is by, for programs; null for nobody, and for people who may not be named. */
export function personJson(controller: BaseController, entry: StoredEntry): Record<string, unknown> | null {
  const { person, actor } = entry;
  if (!person || !areNamed(controller, entry)) return null;
  const { type, id } = person;
  return {
    type,
    id,
    name: plain(person),
    ...(actor ? { acting: { type: actor.type, id: actor.id, name: plain(actor) } } : {}),
  };
}

/** By what means, as people read it: "by an import", "by the job …". */
export function meansText(controller: BaseController, entry: StoredEntry): string | undefined {
  const { means, source, person } = entry;
  if (!areNamed(controller, entry)) return undefined;
  if (means === null || ((means === "form" || means === "json") && person !== null)) return undefined;
  const own = controller.request.tOr(`history.means.${means}`, means, { name: source ?? "" });
  return source === null ? own : controller.request.tOr(`history.means.named_${means}`, own, { name: source });
}
