import type { BaseController, Reply } from "framewright/host";
import { offeredEvents } from "../events/offered.ts";
import { newSecret } from "../signature.ts";
import { placeFor } from "./access.ts";
import { backTo, conflicting, invalid, webhookJson } from "./answers.ts";
import { renderForm, renderSecret, unstored } from "./form_page.ts";
import { renderList } from "./list_page.ts";
import { foundIn, newOwner, nextOwner, type PageParts } from "./parts.ts";
import { sentWebhook } from "./sent_webhook.ts";

/** The webhooks of a portal and a tenant: for people, and as JSON at the same addresses. */
export class WebhookPages {
  readonly #parts: PageParts;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /** `GET /_webhooks`; JSON has the names of the events in `meta`. */
  async list(controller: BaseController): Promise<Reply> {
    const { webhooks, limit, may } = this.#parts;
    const found = await webhooks.list(placeFor(controller, may), limit);
    if (controller.request.format !== "json") return renderList(controller, found, limit);
    const events = this.#offered(controller).flatMap((group) => group.events.map(({ name }) => name));
    const data = found.map((one) => webhookJson(controller, one));
    return controller.json({ data, meta: { limit, events } });
  }
  async new(controller: BaseController): Promise<Reply> {
    placeFor(controller, this.#parts.may);
    const values = { url: "", description: null, events: [] };
    return renderForm(controller, { groups: this.#offered(controller), values, problems: {} });
  }
  /** `POST /_webhooks` with `url`, `description` and `events`. The answer alone has the secret. @throws HttpError 409, 422 */
  async create(controller: BaseController): Promise<Reply> {
    const { webhooks, limit, may, rules } = this.#parts;
    const place = placeFor(controller, may);
    const isJson = controller.request.format === "json";
    const groups = this.#offered(controller);
    const { values, problems } = sentWebhook(controller, namesIn(groups), rules);
    if (Object.keys(problems).length > 0) {
      if (isJson) throw invalid(controller, problems);
      return renderForm(controller, { groups, values, problems });
    }
    const secret = newSecret();
    const id = await webhooks.create(place, await newOwner(this.#parts, controller, place), values, secret, limit);
    if (id === undefined) throw conflicting(controller, "limit", { count: limit });
    const webhook = (await webhooks.find(place, id))!;
    if (!isJson) return renderSecret(controller, webhook, secret);
    return unstored(controller.json({ data: { ...webhookJson(controller, webhook), secret } }, { status: 201 }));
  }
  async edit(controller: BaseController): Promise<Reply> {
    const { webhook } = await foundIn(this.#parts, controller);
    const groups = this.#offered(controller, webhook.events);
    return renderForm(controller, { groups, values: webhook, problems: {}, webhook });
  }
  /** `PATCH /_webhooks/:id`: from then on it sends what the person of the request may read. @throws HttpError 422 */
  async update(controller: BaseController): Promise<Reply> {
    const { webhooks, rules } = this.#parts;
    const found = await foundIn(this.#parts, controller);
    const { place, webhook } = found;
    const isJson = controller.request.format === "json";
    const groups = this.#offered(controller, webhook.events);
    const { values, problems } = sentWebhook(controller, namesIn(groups), rules, webhook);
    if (Object.keys(problems).length > 0) {
      if (isJson) throw invalid(controller, problems);
      return renderForm(controller, { groups, values, problems, webhook });
    }
    await webhooks.update(webhook, await nextOwner(this.#parts, controller, found), values);
    if (!isJson) return backTo(controller, "changed", webhook.id);
    return controller.json({ data: webhookJson(controller, (await webhooks.find(place, webhook.id))!) });
  }
  /** `DELETE /_webhooks/:id`, with all that it sent. */
  async remove(controller: BaseController): Promise<Reply> {
    const { webhooks, deliveries } = this.#parts;
    const { webhook } = await foundIn(this.#parts, controller);
    await webhooks.database.transaction(async (transaction) => {
      await webhooks.remove(webhook, transaction);
      await deliveries.removeOf(webhook.id, transaction);
    });
    if (controller.request.format === "json") return controller.json({ data: null });
    return backTo(controller, "removed");
  }

  /** The events that the person may choose, and those that are chosen already. */
  #offered(controller: BaseController, chosen: readonly string[] = []) {
    const groups = offeredEvents(controller, this.#parts.wizards());
    const known = namesIn(groups);
    const others = chosen.filter((name) => !known.has(name)).map((name) => ({ name, label: name }));
    return others.length > 0 ? [...groups, { label: controller.t("webhooks.other_events"), events: others }] : groups;
  }
}

const namesIn = (groups: ReturnType<typeof offeredEvents>): ReadonlySet<string> =>
  new Set(groups.flatMap(({ events }) => events.map(({ name }) => name)));
