import { type BaseController, html, notFound, type Reply, raw, type SafeHtml } from "framewright/host";
import type { ModelClass } from "framewright/plugins/database";
import { allows, type Registration } from "framewright/plugins/resources";
import type { CardCacheStore } from "./cards/cache.ts";
import type { Card } from "./cards/card.ts";
import type { CardRequest } from "./cards/load.ts";
import { checkShown, logFailure, mayShow, readCard, runCard } from "./cards/run.ts";
import type { DashboardMount } from "./contract.ts";
import { type Dashboard, labelOf } from "./dashboard.ts";
import type { DashboardMounts } from "./mounts.ts";
import { dashboardFor, openAuthorized, openDashboard, periodFor } from "./open.ts";
import { type Period, periodOf } from "./period.ts";
import { cardJson } from "./render/json.ts";
import { periodText } from "./render/words.ts";
import { cardUrl, dashboardUrl } from "./urls.ts";

/** What the pages of dashboards need besides the request. */
export interface PageParts {
  readonly mounts: DashboardMounts;
  readonly cache: CardCacheStore;
  /** Milliseconds that a card may take which sets no limit. */
  readonly limit: number;
  readonly isDevelopment: boolean;
}

/** The kinds of cards that show a period. */
const timed: ReadonlySet<string> = new Set(["metric", "chart", "custom"]);

/** The page: every card is a frame that loads itself, or is there at once when the address requests it. */
export async function showDashboard(
  parts: PageParts,
  mount: DashboardMount,
  controller: BaseController,
): Promise<Reply> {
  const dashboard = await openAuthorized(mount, controller);
  const period = periodFor(dashboard, controller);
  const cards = await cardsFor(mount, dashboard, controller);
  if (controller.request.format === "json") return answerJson(parts, { mount, dashboard, period, cards }, controller);
  const isInline = controller.request.params.string("cards") === "inline";
  const contents = isInline
    ? await Promise.all(
        cards.map((card) => runCard(parts.cache, requestFor(mount, controller, card, period), parts.limit)),
      )
    : [];
  const query = { period: controller.request.params.string("period") && period.key };
  return controller.render("dashboards/show", {
    locals: {
      title: titleOf(dashboard, mount, controller),
      heading: mount.at === "" && dashboard.label === undefined ? undefined : labelOf(dashboard),
      cards: cards.map((card, at) => cardView(mount, controller, card, period, contents[at]?.content)),
      tabs: await tabsFor(parts, mount, controller, query),
      periods: cards.some(({ kind }) => timed.has(kind)) ? periodsOf(dashboard, mount, controller, period) : [],
      inline_url: isInline ? undefined : dashboardUrl(controller, mount, { ...query, cards: "inline" }),
      ...emptyLocals(parts, mount, controller),
      head: scripts(controller, cards),
    },
  });
}

/** The cards with their figures and records, for programs. */
async function answerJson(
  { cache, limit }: PageParts,
  { mount, dashboard, period, cards }: { mount: DashboardMount; dashboard: Dashboard; period: Period; cards: Card[] },
  controller: BaseController,
): Promise<Reply> {
  const read = cards.map(async (card) => {
    const { key, kind, label } = card;
    const { failed, shown } = await readCard(cache, requestFor(mount, controller, card, period), limit, cardJson);
    return { key, kind, label, ...(failed ? { failed } : { data: shown ?? null }) };
  });
  const label = titleOf(dashboard, mount, controller);
  return controller.json({ data: { label, period: period.key, cards: await Promise.all(read) } });
}

/** A card alone: in its frame, or as a page of its own. @throws HttpError 404, 403 */
export async function showCard(parts: PageParts, mount: DashboardMount, controller: BaseController): Promise<Reply> {
  const dashboard = await openAuthorized(mount, controller);
  const card = dashboard.cards.get(controller.params.string("card") ?? "");
  if (!card) throw notFound();
  await checkShown(dashboard, card, controller);
  const period = periodFor(dashboard, controller);
  const { status, content } = await runCard(parts.cache, requestFor(mount, controller, card, period), parts.limit);
  return controller.render("dashboards/card", {
    status,
    locals: {
      title: card.label,
      card: cardView(mount, controller, card, period, content),
      back: {
        label: titleOf(dashboard, mount, controller),
        url: dashboardUrl(controller, mount, { period: controller.params.string("period") && period.key }),
      },
      breadcrumbs: [
        { label: titleOf(dashboard, mount, controller), url: dashboardUrl(controller, mount) },
        { label: card.label },
      ],
      head: scripts(controller, [card]),
    },
  });
}

const requestFor = (mount: DashboardMount, controller: BaseController, card: Card, period: Period): CardRequest => ({
  mount,
  controller,
  card,
  period,
  open: (shared) => openDashboard(mount, controller, shared ? card.key : undefined),
});

const titleOf = (dashboard: Dashboard, mount: DashboardMount, controller: BaseController): string =>
  mount.at === "" && dashboard.label === undefined
    ? controller.t(controller.currentUser === undefined ? "framework.home" : "framework.dashboard")
    : labelOf(dashboard);

async function cardsFor(mount: DashboardMount, dashboard: Dashboard, controller: BaseController): Promise<Card[]> {
  const cards = [...dashboard.cards.values()];
  const shown = await Promise.all(cards.map((card) => isShown(mount, dashboard, card, controller)));
  return cards.filter((_, at) => shown[at]);
}

/** A policy that fails hides its card: the page around it is drawn. */
async function isShown(mount: DashboardMount, dashboard: Dashboard, card: Card, controller: BaseController) {
  try {
    return await mayShow(dashboard, card, controller);
  } catch (error) {
    logFailure({ mount, controller, card }, error);
    return false;
  }
}

function cardView(
  mount: DashboardMount,
  controller: BaseController,
  card: Card,
  period: Period,
  content: SafeHtml | undefined,
) {
  const { key, kind, label, width } = card;
  const url = cardUrl(controller, mount, card, period.key);
  return {
    key,
    kind,
    label,
    width,
    url,
    content,
    link: linkOf(controller, card),
    width_class: `fw-dash-${width.replace("_", "-")}`,
  };
}

/** Where the heading leads; nowhere for a list that the person may not see. */
function linkOf(controller: BaseController, { options: { link } }: Card): string | undefined {
  if (link === undefined || typeof link === "string") return link;
  const { kernel, engine } = controller.request;
  const registration = kernel.service("resources").registry.find(engine?.name, link as ModelClass);
  return maySee(controller, registration) ? controller.resourceUrlFor(link) : undefined;
}

/** Whether the person may open the list of a resource, or its only record. */
function maySee(controller: BaseController, { policyClass, singular }: Registration): boolean {
  const resources = controller.request.kernel.service("resources");
  return allows(resources.policy(controller as never, policyClass, undefined), singular ? "show" : "index");
}

/** The dashboards of the portal that the person may see; none where there is one alone. */
async function tabsFor({ mounts }: PageParts, here: DashboardMount, controller: BaseController, query: object) {
  const tabs: { label: string; url: string; current: boolean }[] = [];
  for (const mount of mounts.of(here.portal)) {
    const dashboard = dashboardFor(mount, controller);
    if (mount !== here && (await dashboard.authorize()) !== true) continue;
    const url = dashboardUrl(controller, mount, { ...query });
    tabs.push({ label: labelOf(dashboard), url, current: mount === here });
  }
  return tabs.length > 1 ? tabs : [];
}

function periodsOf({ periods }: Dashboard, mount: DashboardMount, controller: BaseController, { key }: Period) {
  return periods.map((period) => ({
    label: periodText(controller, periodOf(period)),
    url: dashboardUrl(controller, mount, { period }),
    current: period === key,
  }));
}

/** The text where there is no card: for a developer what to do, for others whether they may see anything else here. */
function emptyLocals({ isDevelopment }: PageParts, { portal }: DashboardMount, controller: BaseController) {
  const { registry } = controller.request.kernel.service("resources");
  const found = [...registry.of(portal).values()];
  const mayRead = found.some((registration) => maySee(controller, registration));
  const key = isDevelopment && found.length === 0 ? "unconnected" : mayRead ? "no_cards" : "empty";
  return {
    empty_title: controller.t(`dashboards.${key}_title`),
    empty_text: controller.t(`dashboards.${key}_text`),
    command:
      key === "unconnected"
        ? `npx fw generate fw:res:conn RESOURCE --dest=${controller.request.engine?.path}`
        : undefined,
  };
}

/** The script loads the library of charts where it finds one. */
function scripts(controller: BaseController, cards: readonly Card[]): SafeHtml {
  const assets = controller.request.kernel.service("assets");
  if (cards.length === 0) return raw("");
  return html`<script src="${assets.url("dashboards.js")}" data-charts="${assets.url("chart.js")}" defer></script>`;
}
