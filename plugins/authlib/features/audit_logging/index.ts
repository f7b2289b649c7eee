import { humanize } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { decodeDate } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AccountEventName } from "../../events.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const DAY = 86_400_000;
/** Entries that the account's overview lists. */
const SHOWN = 10;
/** What belongs to another event that is listed, or says nothing to a person. */
const unlisted = ["first_factor_passed", "refreshed"];
const table = "authentication_audit_logs";

export interface AuditLoggingOptions {
  /** Days for which entries are kept. */
  days?: number;
}
/** An entry of the log, as the account's overview lists it. */
export interface LoggedEvent {
  event: string;
  /** The client's address; empty where no request caused it. */
  address: string;
  at: Date;
}
/** What the feature `audit_logging` adds. */
export interface AuditLoggingSteps {
  /** Whether an event is written down, and with which details; undefined leaves it out. */
  auditDetails(name: AccountEventName, details: Record<string, string | number | boolean>): object | undefined;
  /** What happened to who is signed in, the last first; the account's overview lists it. */
  accountHistory(limit?: number): Promise<LoggedEvent[]>;
  /** An event in words: the text `authlib.account_events.<event>`. */
  describeEvent(event: string): string;
}

/** Writes down what happens to accounts, with time and address. */
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
    async accountHistory(limit = SHOWN): Promise<LoggedEvent[]> {
      const entries = this.knex(this.type.table(table)).where({ account_id: this.account!.id });
      const query = entries.whereNotIn("event", unlisted).orderBy("id", "desc").limit(limit);
      return (await this.type.services.database.rows(query)).map(({ event, address, at }) => ({
        event: String(event),
        address: String(address ?? ""),
        at: decodeDate(at) as Date,
      }));
    }
    describeEvent(event: string): string {
      const key = `account_events.${event}`;
      const text = this.t(key);
      return text.endsWith(key) ? humanize(event) : text; // an event of a feature that has no text for it
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
          .where("at", "<", new Date(Date.now() - days * DAY))
          .delete();
    }
  };
}
