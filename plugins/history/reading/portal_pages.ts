import { type Application, type BaseController, forbidden, html, type Reply, type SafeHtml } from "framewright/host";
import { portalController } from "framewright/plugins/portals";
import { labelsFor } from "framewright/plugins/resources";
import { hrefOf } from "framewright/plugins/resources/toolkit";
import type { HistoryStore } from "../store.ts";
import { mayReadAny, readableModels } from "./access.ts";
import { cursorOf, cursorText, entryCursor } from "./cursor.ts";
import { drawTimeline, itemOf } from "./draw_entry.ts";
import { answerExport, exportable } from "./export.ts";
import { areNamed } from "./names.ts";
import { type PortalEntries, portalEntries } from "./portal_entries.ts";
import { chosenIn, filtersOf } from "./portal_filters.ts";
import { recordLabel } from "./record_label.ts";
import { jsonOf, metaOf } from "./record_pages.ts";
import type { ShownEntry } from "./shown_changes.ts";

const PATH = "/_history";
const PAGE_ENTRIES = 40;

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
    const download = (one: BaseController) => answerExport(this.#store, one);
    host.routeSetOf(portal).draw("GET", `${PATH}.csv`, { controller, action: download, policy: "canExport" });
    this.#portals.add(portal);
  }

  /** The address of the page, for those who may see changes of any resource. */
  urlFor(controller: BaseController): string | undefined {
    const { engine, mountPath } = controller.request;
    const isOffered = engine !== undefined && this.#portals.has(engine.name) && mayReadAny(controller);
    return isOffered ? mountPath + PATH : undefined;
  }

  /** @throws HttpError 403 for people who may see no changes */
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
      download:
        exportable(models, controller).size > 0
          ? `${controller.request.path}.csv${query.size > 0 ? `?${query}` : ""}`
          : undefined,
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
  return { model: one.entry.model, record: one.entry.record, label: recordLabel(controller, one).text };
}

/** "Post “Hello” was changed", with a link to a record that is there. */
function titleOf(controller: BaseController, shown: ShownEntry): SafeHtml {
  const { of, entry } = shown;
  const { one } = labelsFor(controller, of.controller.registration);
  const { text, isNumber } = recordLabel(controller, shown);
  const link = of.isDeleted
    ? html`<span>${text}</span>`
    : html`<a href="${hrefOf(`${of.controller.urlFor(of.record)}/history`)}">${text}</a>`;
  return html`${!isNumber && html`${one} `}${link}: ${controller.t(`history.kinds.${entry.kind}`)}`;
}
