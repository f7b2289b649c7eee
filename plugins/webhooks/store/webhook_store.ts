import type { Sealer } from "framewright/host";
import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import type {
  DisabledReason,
  Webhook,
  WebhookOwner,
  WebhookPlace,
  WebhookValues,
  WithheldReason,
} from "../contract.ts";
import { errors } from "../errors.ts";

const WEBHOOKS = "framewright_webhooks";
const EVENTS = "framewright_webhook_events";
/** The tenant in the table of events of a webhook of no tenant. */
const NO_TENANT = "";
/** How long messages are signed with the earlier secret as well. */
const OVERLAP_MS = 24 * 3_600_000;

interface Row extends Omit<Webhook, "events" | "place"> {
  readonly events: string;
  readonly place: string;
  readonly secret: string;
  readonly previous_secret: string | null;
}
/** A webhook that hears of an event. */
export interface Subscription {
  readonly webhook_id: number;
  readonly portal: string;
  readonly name: string;
  readonly tenant: string | null;
}

/** All statements on the webhooks and their events. Those that serve a page name the portal and the tenant. */
export class WebhookStore {
  readonly database: Database;
  readonly #webhooks: PluginTable<Row>;
  readonly #events: PluginTable<{ webhook_id: number; tenant: string; name: string; portal: string }>;
  readonly #sealer: Sealer;

  constructor(database: Database, sealer: Sealer) {
    this.database = database;
    this.#sealer = sealer;
    const missing = errors.FW_WEBHOOKS_TABLE;
    const dates = ["created_at", "failing_since", "withheld_at", "previous_until"];
    this.#webhooks = new PluginTable(database, WEBHOOKS, missing, { dates, numbers: ["id"] });
    this.#events = new PluginTable(database, EVENTS, missing, { numbers: ["webhook_id"] });
  }

  /** Whether the tables are there. @throws 503 when the database is unavailable */
  async isInstalled(): Promise<boolean> {
    return (await this.#webhooks.exists()) && (await this.#events.exists());
  }

  /** Those of a portal and a tenant, the newest first. */
  async list(place: WebhookPlace, limit: number): Promise<Webhook[]> {
    const query = this.#of(place).orderBy("id", "desc").limit(limit);
    return (await this.#webhooks.read(query)).map(decoded);
  }
  async find(place: WebhookPlace, id: number): Promise<Webhook | undefined> {
    const [row] = await this.#webhooks.read(this.#of(place).where({ id }));
    return row && decoded(row);
  }
  /** A webhook, wherever it belongs: for jobs. */
  async findById(id: number): Promise<Webhook | undefined> {
    const [row] = await this.#webhooks.read(this.#webhooks.rows({ id }));
    return row && decoded(row);
  }

  /** Whose it is now, until the transaction has ended. */
  async ownerOf(id: number, transaction: Transaction): Promise<string | undefined> {
    return (await this.#webhooks.read(this.#webhooks.rows({ id }, transaction).forUpdate()))[0]?.owner_id;
  }
  /** Stores a new one, unless there are `limit` already; returns its id. */
  async create(
    place: WebhookPlace,
    owner: WebhookOwner,
    values: WebhookValues,
    secret: string,
    limit: number,
  ): Promise<number | undefined> {
    return this.database.transaction(async (transaction) => {
      const there = await this.#webhooks.run(this.#of(place, transaction).select("id").limit(limit));
      if (there.length >= limit) return undefined;
      const row = {
        ...place,
        ...this.#columns(owner, values),
        secret: this.#sealer.seal(secret, bindingOf(place)),
        state: "enabled",
        created_at: encodeDate(new Date()),
      };
      const query = this.#webhooks.rows({}, transaction).insert(row, ["id"]);
      const [stored] = (await this.#webhooks.run(query)) as ({ id: unknown } | number)[];
      const id = Number(typeof stored === "object" ? stored.id : stored);
      await this.#listEvents(id, place, values.events, transaction);
      return id;
    });
  }
  /** Whoever changes a webhook becomes its owner: nobody has sent to a URL of their own what another person may read. */
  async update(webhook: Webhook, owner: WebhookOwner, values: WebhookValues): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const change = { ...this.#columns(owner, values), withheld_at: null, withheld_reason: null };
      await this.#webhooks.run(this.#webhooks.rows({ id: webhook.id }, transaction).update(change));
      await this.#webhooks.run(this.#events.rows({ webhook_id: webhook.id }, transaction).delete());
      await this.#listEvents(webhook.id, webhook, values.events, transaction);
    });
  }
  #columns({ place, ...owner }: WebhookOwner, { events, ...values }: WebhookValues) {
    return { ...owner, ...values, place: JSON.stringify(place), events: JSON.stringify(events) };
  }
  async #listEvents(webhook_id: number, { tenant }: WebhookPlace, names: readonly string[], transaction: Transaction) {
    const rows = names.map((name) => ({ webhook_id, tenant: tenant ?? NO_TENANT, name }));
    if (rows.length > 0) await this.#events.run(this.#events.rows({}, transaction).insert(rows));
  }

  async enable({ id }: Webhook, owner: WebhookOwner): Promise<void> {
    const { place, ...columns } = owner;
    const change = { ...columns, place: JSON.stringify(place), state: "enabled", reason: null, failing_since: null };
    await this.#change(id, { ...change, withheld_at: null, withheld_reason: null });
  }
  /** False where it was disabled already. */
  async disable(id: number, reason: DisabledReason, transaction?: Transaction): Promise<boolean> {
    const query = this.#webhooks.rows({ id, state: "enabled" }, transaction);
    return (await this.#webhooks.run(query.update({ state: "disabled", reason }))) > 0;
  }
  async remove({ id }: Webhook, transaction: Transaction): Promise<void> {
    await this.#events.run(this.#events.rows({ webhook_id: id }, transaction).delete());
    await this.#webhooks.run(this.#webhooks.rows({ id }, transaction).delete());
  }
  async markWithheld(id: number, reason: WithheldReason): Promise<void> {
    await this.#change(id, { withheld_at: encodeDate(new Date()), withheld_reason: reason });
  }
  /** Its receiver failed; since when it does stays. */
  async markFailing(id: number, at: Date, transaction: Transaction): Promise<void> {
    const query = this.#webhooks.rows({ id, failing_since: null }, transaction);
    await this.#webhooks.run(query.update({ failing_since: encodeDate(at) }));
  }
  async markWorking(id: number, transaction: Transaction): Promise<void> {
    const query = this.#webhooks.rows({ id }, transaction).whereNotNull("failing_since");
    await this.#webhooks.run(query.update({ failing_since: null }));
  }
  async #change(id: number, change: object): Promise<void> {
    await this.#webhooks.run(this.#webhooks.rows({ id }).update(change));
  }

  /** A new secret; the one before is valid for a day. */
  async rotate({ id }: Webhook, secret: string, now = new Date()): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [row] = await this.#webhooks.read(this.#webhooks.rows({ id }, transaction).forUpdate());
      if (!row) return;
      const change = {
        secret: this.#sealer.seal(secret, bindingOf(row)),
        previous_secret: row.secret,
        previous_until: encodeDate(new Date(now.getTime() + OVERLAP_MS)),
      };
      await this.#webhooks.run(this.#webhooks.rows({ id }, transaction).update(change));
    });
  }
  /** The secrets that messages are signed with now, the current one first. */
  async secretsOf(id: number, now = new Date()): Promise<string[]> {
    const [row] = await this.#webhooks.read(this.#webhooks.rows({ id }));
    if (!row) return [];
    const isValid = row.previous_until !== null && row.previous_until > now;
    const sealed = [row.secret, ...(isValid && row.previous_secret ? [row.previous_secret] : [])];
    return sealed.flatMap((one) => this.#sealer.open(one, bindingOf(row)) ?? []);
  }

  /** Whether any enabled webhook of whichever tenant hears of one of these events. */
  async isHeard(names: readonly string[], transaction: Transaction): Promise<boolean> {
    return (await this.#events.run(this.#heard(names, transaction).select("e.id").limit(1))).length > 0;
  }
  /** The webhooks of these tenants, and of none, that hear of events. */
  async subscriptions(
    names: readonly string[],
    tenants: readonly string[],
    transaction: Transaction,
  ): Promise<Subscription[]> {
    const query = this.#heard(names, transaction)
      .whereIn("e.tenant", [NO_TENANT, ...tenants])
      .select("e.webhook_id", "e.name", "e.tenant", "w.portal");
    const rows = await this.#events.read(query);
    return rows.map(({ tenant, ...row }) => ({ ...row, tenant: tenant === NO_TENANT ? null : tenant }));
  }
  #heard(names: readonly string[], transaction: Transaction) {
    return transaction({ e: EVENTS })
      .join({ w: WEBHOOKS }, "w.id", "e.webhook_id")
      .whereIn("e.name", [...names])
      .where("w.state", "enabled");
  }

  #of({ portal, tenant }: WebhookPlace, transaction?: Transaction) {
    return this.#webhooks.rows({ portal, tenant }, transaction);
  }
}

/** A secret opens in its own portal and tenant alone. */
const bindingOf = ({ portal, tenant }: WebhookPlace): string => JSON.stringify([portal, tenant]);

function decoded({ secret: _secret, previous_secret: _previous, events, place, ...row }: Row): Webhook {
  return { ...row, events: JSON.parse(events) as string[], place: JSON.parse(place) as Webhook["place"] };
}
