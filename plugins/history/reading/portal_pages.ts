import { type Application, type BaseController, forbidden, html, type Reply, type SafeHtml } from "framewright/host";
import { portalController } from "framewright/plugins/portals";
import { labelOf, labelsFor, type Registration } from "framewright/plugins/resources";
import { hrefOf, isLabelOpen } from "framewright/plugins/resources/toolkit";
import type { HistoryFilter, HistoryKind } from "../contract.ts";
import type { HistoryStore } from "../store.ts";
import { mayReadAny, readableModels } from "./access.ts";
import { boundsOf, cursorOf, cursorText, entryCursor } from "./cursor.ts";
import { drawTimeline, itemOf } from "./draw_entry.ts";
import { areNamed } from "./names.ts";
import { type PortalEntries, portalEntries } from "./portal_entries.ts";
import { jsonOf, metaOf } from "./record_pages.ts";
import type { ShownEntry } from "./shown_changes.ts";

const PATH = "/_history";
const PAGE_ENTRIES = 40;
const KINDS: readonly HistoryKind[] = ["created", "updated", "deleted", "restored"];

type Models = ReadonlyMap<string, Registration>;

/** The page of all changes in a portal, as the person may see them; programs read it as JSON. */
export class PortalPages {
  readonly #store: HistoryStore;
  readonly #styles: () => SafeHtml;
  readonly #portals = new Set<string>();

  constructor(store: HistoryStore, styles: () => SafeHtml) {
    this.#store = store;
    this.#styles = styles;
  }

  /** Draws it in a portal. */
  draw(host: Application, portal: string): void {
    const controller = portalController(host, portal, "history");
    if (!controller) return;
    const action = (one: BaseController) => this.#show(one);
    host.routeSetOf(portal).draw("GET", PATH, { controller, action, policy: "(by resource)" });
    this.#portals.add(portal);
  }

  /** The address of the page, for those who may see changes of any resource. */
  urlFor(controller: BaseController): string | undefined {
    const { engine, mountPath } = controller.request;
    const isOffered = engine !== undefined && this.#portals.has(engine.name) && mayReadAny(controller);
    return isOffered ? mountPath + PATH : undefined;
  }

  /** @throws HttpError 403 for who may see no changes */
  async #show(controller: BaseController): Promise<Reply> {
    const models = readableModels(controller);
    if (models.size === 0) throw forbidden();
    const chosen = chosenIn(controller, models);
    const before = cursorOf(controller.request.query.get("before"));
    const filter = { ...chosen.filter, before: entryCursor(before), limit: PAGE_ENTRIES };
    const page = await portalEntries(this.#store, controller, models, filter);
    const items = page.shown.map((one) => itemOf(controller, one, { title: titleOf(controller, one) }));
    const next = page.next && { at: page.next.at, key: `history:${page.next.id}` };
    if (controller.request.format === "json") {
      const data = items.flatMap((item, index) =>
        jsonOf(item).map((one) => ({ ...one, ...aboutOf(page, index, controller) })),
      );
      return controller.json({ data, meta: metaOf(next) });
    }
    const links = personLinks(controller, page);
    const title = controller.t("history.title");
    const query = new URLSearchParams(chosen.params);
    const locals = {
      title,
      breadcrumbs: [{ label: title }],
      styles: this.#styles(),
      filters: filtersOf(controller, models, chosen.params),
      timeline: items.length > 0 ? drawTimeline(controller, items, (item) => links.get(item.key)) : undefined,
      older: next && `?${new URLSearchParams([...query, ["before", cursorText(next)]])}`,
      newer: before && `?${query}`,
    };
    return controller.render("history/portal", { locals });
  }
}

/** Where the names of people lead: to what they changed. */
function personLinks(controller: BaseController, { shown }: PortalEntries): Map<string, string> {
  const named = shown.filter(({ entry }) => entry.person && areNamed(controller, entry));
  return new Map(
    named.map(({ entry }) => {
      const query = new URLSearchParams({ person: `${entry.person!.type ?? ""}/${entry.person!.id}` });
      return [`history:${entry.id}`, `${controller.request.path}?${query}`];
    }),
  );
}

/** The record of an entry, as JSON. */
function aboutOf({ shown }: PortalEntries, index: number, controller: BaseController) {
  const one = shown[index]!;
  return { model: one.entry.model, record: one.entry.record, label: recordLabel(controller, one) };
}

/** "Post “Hello” was changed", with a link to a record that is there. */
function titleOf(controller: BaseController, shown: ShownEntry): SafeHtml {
  const { of, entry } = shown;
  const { one } = labelsFor(controller, of.controller.registration);
  const label = recordLabel(controller, shown);
  const link = of.isDeleted
    ? html`<span>${label}</span>`
    : html`<a href="${hrefOf(`${of.controller.urlFor(of.record)}/history`)}">${label}</a>`;
  return html`${one} ${link}: ${controller.t(`history.kinds.${entry.kind}`)}`;
}

/** What the record is called now; a deleted one as it was, where nothing of that is hidden. */
function recordLabel(controller: BaseController, { of, entry }: ShownEntry): string {
  const { record, isDeleted } = of;
  const { model } = of.controller.registration;
  if (!isDeleted) return labelOf(of.controller, record);
  return isLabelOpen(controller, model) ? entry.label : model.numberLabel(model.key.parse(entry.record));
}

interface Chosen {
  readonly filter: HistoryFilter;
  readonly params: Record<string, string>;
}
/** The filters of the address; what names nothing is left out. */
function chosenIn({ request }: BaseController, models: Models): Chosen {
  const given = (name: string): string => {
    const value = request.query.get(name);
    return typeof value === "string" ? value.slice(0, 260) : "";
  };
  const params: Record<string, string> = {};
  const filter: Record<string, unknown> = {};
  const set = (name: string, values: object) => {
    params[name] = given(name);
    Object.assign(filter, values);
  };
  if (models.has(given("model"))) set("model", { models: [given("model")] });
  const kind = KINDS.find((one) => one === given("kind"));
  if (kind) set("kind", { kind });
  const [, type, id] = /^([A-Za-z0-9:]{0,150})\/([^/]{1,100})$/.exec(given("person")) ?? [];
  // where people of other portals are not named, a filter must not reveal who they are
  const within = request.engine?.tenantRule === undefined ? {} : { portal: request.engine.name };
  if (id !== undefined) set("person", { person: { type: type || null, id }, ...within });
  const isOfAll = request.engine?.tenantRule === undefined;
  if (isOfAll && /^[\w.]{1,100}\/[^/]{1,150}$/.test(given("tenant"))) set("tenant", { tenant: given("tenant") });
  const day = boundsOf(request.timeZone, given("day"));
  if (day) set("day", { since: day.start, until: day.end });
  return { filter, params };
}

function filtersOf(controller: BaseController, models: Models, params: Record<string, string>) {
  const registrations = new Map(
    [...models].map(([name, registration]) => [name, labelsFor(controller, registration).many]),
  );
  const options = (entries: Iterable<readonly [string, string]>, chosen: string | undefined) =>
    [...entries].map(([value, label]) => ({ value, label, chosen: value === chosen }));
  return {
    models: options(
      [...registrations].sort(([, a], [, b]) => a.localeCompare(b, controller.request.locale)),
      params.model,
    ),
    kinds: options(
      KINDS.map((kind) => [kind, controller.t(`history.kinds.${kind}`)] as const),
      params.kind,
    ),
    person: params.person,
    tenant: params.tenant,
    day: params.day,
    is_filtered: Object.keys(params).length > 0,
    url: controller.request.path,
  };
}
