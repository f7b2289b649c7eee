import { type BaseController, forbidden, type SafeHtml } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { allows } from "framewright/plugins/resources";
import type { Dashboard } from "../dashboard.ts";
import { errors } from "../errors.ts";
import { failedCard } from "../render/failed.ts";
import { renderData } from "../render/index.ts";
import type { CardCacheStore } from "./cache.ts";
import type { Card } from "./card.ts";
import { type CardRequest, loadCard } from "./load.ts";

/** What a card shows, and the status of its answer. */
export interface CardResult {
  readonly status: 200 | 500 | 503;
  readonly content: SafeHtml;
}

/** Whether the person of the request may see a card. */
export async function mayShow(dashboard: Dashboard, card: Card, controller: BaseController): Promise<boolean> {
  const { policy } = card.options;
  if (policy === undefined) return true;
  if (typeof policy === "function") return (await policy(controller)) === true;
  if (typeof policy === "string")
    return (await (dashboard as unknown as Record<string, () => unknown>)[policy]!.call(dashboard)) === true;
  const { resource, action = "index" } = policy;
  const resources = controller.request.kernel.service("resources");
  const { policyClass } = resources.registry.find(controller.request.engine?.name, resource);
  return allows(resources.policy(controller as never, policyClass, undefined), action, true);
}

/** @throws HttpError 403 */
export async function checkShown(dashboard: Dashboard, card: Card, controller: BaseController): Promise<void> {
  if (!(await mayShow(dashboard, card, controller))) throw forbidden();
}

/** Loads and draws a card within its limit. A card that fails shows it, and the reason is logged: the page around it is drawn. */
export async function runCard(cache: CardCacheStore, request: CardRequest, limit: number): Promise<CardResult> {
  const { status, failed, shown } = await readCard(cache, request, limit, renderData);
  return { status, content: failed ? failedCard(request, failed) : shown! };
}

/** Loads a card within its limit, and shows its data in some way; else how it failed. */
export async function readCard<T>(
  cache: CardCacheStore,
  request: CardRequest,
  limit: number,
  show: (request: CardRequest, data: unknown) => T,
): Promise<{ status: CardResult["status"]; failed?: "late" | "failed"; shown?: T }> {
  const { mount, card } = request;
  const most = card.options.limit ?? limit;
  try {
    const data = await within(loadCard(cache, request), most);
    if (data !== LATE) return { status: 200, shown: show(request, data) };
    log(request, {}, errors.FW_DASHBOARD_LATE(mount.name, card.key, most));
    return { status: 503, failed: "late" };
  } catch (error) {
    logFailure(request, error);
    return { status: (error as { status?: number }).status === 503 ? 503 : 500, failed: "failed" };
  }
}

type CardPlace = Pick<CardRequest, "mount" | "card" | "controller">;

/** Names the dashboard and the card in the log, with the error as its cause. */
export function logFailure(place: CardPlace, error: unknown): void {
  log(place, { err: error }, errors.FW_DASHBOARD_FAILED(place.mount.name, place.card.key, messageOf(error)));
}

function log({ mount, card, controller: { request } }: CardPlace, facts: object, { message }: Error): void {
  request.application.log.error({ ...facts, dashboard: mount.name, card: card.key, request: request.id }, message);
}

const LATE = Symbol("late");

/** The result of the work, or LATE. Work that is late goes on, and its failure is nobody's any more. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(LATE), milliseconds);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
