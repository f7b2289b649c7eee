import type { BaseController, Reply } from "framewright/host";
import { TEST_EVENT } from "../events/names.ts";
import { DELIVER, laneOf } from "../events/recorder.ts";
import { urlOf } from "./access.ts";
import { backTo, conflicting, deliveryJson, isOwn, tryJson } from "./answers.ts";
import { deliveryIn, type Found, foundIn, type PageParts } from "./parts.ts";
import { deliveryView } from "./show_page.ts";

/** Attempts that a page shows: those of several replays. */
const MAX_TRIES = 50;

/** What a webhook sent: each with its attempts, and sent again. */
export class DeliveryPages {
  readonly #parts: PageParts;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /** `GET /_webhooks/:id/deliveries/:id` */
  async show(controller: BaseController): Promise<Reply> {
    const { webhook } = await foundIn(this.#parts, controller);
    const delivery = await deliveryIn(this.#parts, controller, webhook);
    const tries = await this.#parts.deliveries.tries(delivery, MAX_TRIES);
    const showsAnswer = isOwn(webhook, controller);
    if (controller.request.format === "json") {
      const data = { ...deliveryJson(delivery), tries: tries.map((one) => tryJson(one, showsAnswer)) };
      return controller.json({ data });
    }
    const [list, page] = [urlOf(controller), urlOf(controller, webhook.id)];
    const trail = [
      { label: controller.t("webhooks.title"), url: list },
      { label: webhook.url, url: page },
    ];
    return controller.render("webhooks/delivery", {
      locals: {
        title: delivery.event,
        breadcrumbs: [...trail, { label: delivery.event }],
        delivery: deliveryView(controller, webhook, delivery),
        shows_answer: showsAnswer,
        tries: tries.map(({ failure, ...one }) => ({
          ...one,
          tone: failure === null ? "success" : "danger",
          result: controller.t(failure === null ? "webhooks.succeeded" : `webhooks.failures.${failure}`),
        })),
      },
    });
  }

  /** `POST /_webhooks/:id/test` @throws HttpError 409 */
  async test(controller: BaseController): Promise<Reply> {
    const { deliveries, jobs } = this.#parts;
    const { webhook } = await this.#enabled(controller);
    const at = new Date().toISOString();
    await deliveries.database.transaction(async (transaction) => {
      const about = { event: TEST_EVENT, model: null, record: null, details: { at } };
      const lane = laneOf(webhook.id, `test ${at}`);
      await deliveries.insert([{ webhook_id: webhook.id, tenant: webhook.tenant, ...about, lane }], transaction);
      await jobs.enqueue(DELIVER, {}, { transaction });
    });
    if (controller.request.format === "json") return controller.json({ data: { sent: 1 } }, { status: 202 });
    return backTo(controller, "tested", webhook.id);
  }
  /** `POST /_webhooks/:id/replay`: all that is dead is sent again. @throws HttpError 409 */
  async replayDead(controller: BaseController): Promise<Reply> {
    return this.#replay(controller, await this.#enabled(controller), "dead");
  }
  /** `POST /_webhooks/:id/deliveries/:id/replay` @throws HttpError 404, 409 while it is being sent */
  async replay(controller: BaseController): Promise<Reply> {
    const found = await this.#enabled(controller);
    const { id } = await deliveryIn(this.#parts, controller, found.webhook);
    return this.#replay(controller, found, id);
  }

  async #replay(controller: BaseController, { webhook }: Found, which: number | "dead"): Promise<Reply> {
    const { deliveries, jobs } = this.#parts;
    const count = await deliveries.database.transaction(async (transaction) => {
      const replayed = await deliveries.replay(webhook.id, which, transaction);
      if (replayed > 0) await jobs.enqueue(DELIVER, {}, { transaction });
      return replayed;
    });
    if (count === 0 && which !== "dead") throw conflicting(controller, "waiting");
    if (controller.request.format === "json") return controller.json({ data: { sent: count } }, { status: 202 });
    return backTo(controller, "replayed", webhook.id);
  }
  async #enabled(controller: BaseController): Promise<Found> {
    const found = await foundIn(this.#parts, controller);
    if (found.webhook.state !== "enabled") throw conflicting(controller, "disabled");
    return found;
  }
}
