import { humanize } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { decodeDate } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AccountEventName } from "../../events.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const DAY_MS = 86_400_000;
/** The number of entries on the account's overview. */
const OVERVIEW_ROWS = 10;
/** Events that the overview omits: part of another event, or of no interest to people. */
const unlisted = ["first_factor_passed", "refreshed"];
const table = "authentication_audit_logs";

/** Options of `auditLogging()`. */
export interface AuditLoggingOptions {
  /** How many days entries are retained. */
  days?: number;
}
/** An entry of the log, for the account's overview. */
export interface LoggedEvent {
  event: string;
  /** The client's address; empty without a request. */
  address: string;
  at: Date;
  /** Who caused it in the person's place: "admin 3", "fw authlib:user:close". */
  actor?: string;
}
/** What the feature `audit_logging` adds. */
export interface AuditLoggingSteps {
  /** The details to log of an event; undefined does not log it. */
  auditDetails(name: AccountEventName, details: Record<string, string | number | boolean>): object | undefined;
  /** The latest events of the signed-in account, newest first, for its overview. */
  accountHistory(limit?: number): Promise<LoggedEvent[]>;
  /** The text of an event: `authlib.account_events.<event>`. */
  describeEvent(event: string): string;
}

/** Logs the events of accounts, with time and address. */
export function auditLogging(options: AuditLoggingOptions = {}) {
  checkOptions("auditLogging", options, { days: option.number });
  return defineFeature<AuditLoggingSteps>({
    name: "audit_logging",
    directory: import.meta.dirname,
    options,
    tables: [table],
    steps,
  });
}

/** Details are a text, or what a driver has made of it. */
function actorIn(metadata: unknown): { actor?: string } {
  const details: unknown = typeof metadata === "string" ? JSON.parse(metadata) : metadata;
  const actor = (details as { actor?: unknown } | null)?.actor;
  return typeof actor === "string" ? { actor } : {};
}

function steps(Base: AuthlibClass) {
  return class WithAudit extends Base {
    override async emitEvent(
      name: AccountEventName,
      details: Record<string, string | number | boolean> = {},
      ...about: [account?: { id: number } | undefined]
    ): Promise<void> {
      const account = about.length > 0 ? about[0] : this.account;
      const metadata = this.auditDetails(name, details);
      if (metadata) await this.#write(name, metadata, account);
      await super.emitEvent(name, details, account);
    }
    auditDetails(_name: AccountEventName, details: Record<string, string | number | boolean>): object | undefined {
      return details;
    }
    async accountHistory(limit = OVERVIEW_ROWS): Promise<LoggedEvent[]> {
      const entries = this.knex(this.type.table(table)).where({ account_id: this.account!.id });
      const query = entries.whereNotIn("event", unlisted).orderBy("id", "desc").limit(limit);
      return (await this.type.services.database.rows(query)).map(({ event, address, at, metadata }) => ({
        event: String(event),
        address: String(address ?? ""),
        at: decodeDate(at) as Date,
        ...actorIn(metadata),
      }));
    }
    describeEvent(event: string): string {
      const key = `account_events.${event}`;
      const text = this.t(key);
      return text.endsWith(key) ? humanize(event) : text; // an event without a text
    }
    override async accountLines(): Promise<AccountLine[]> {
      const lines = (await this.accountHistory()).map(({ event, address, at }): AccountLine => {
        const label = this.describeEvent(event);
        return { section: "history", name: event, label, text: address === "" ? "" : `${address} ·`, at };
      });
      return [...(await super.accountLines()), ...lines];
    }
    async #write(event: AccountEventName, metadata: object, account: { id: number } | undefined): Promise<void> {
      const { days = 365 } = this.optionsOf<AuditLoggingOptions>("audit_logging");
      const entries = this.knex(this.type.table(table));
      const { address, at } = this.occurred;
      const row = { account_id: account?.id ?? null, event, metadata: JSON.stringify(metadata), at };
      await entries.clone().insert({ ...row, address: address.slice(0, 45) });
      if (event === "login")
        await entries
          .clone()
          .where("at", "<", new Date(Date.now() - days * DAY_MS))
          .delete();
    }
  };
}
