import { checkOptions, option } from "framewright/kernel";
import type { AccountEventName } from "../../events.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const DAY = 86_400_000;
const table = "authentication_audit_logs";

export interface AuditLoggingOptions {
  /** Days for which entries are kept. */
  days?: number;
}
/** What the feature `audit_logging` adds. */
export interface AuditLoggingSteps {
  /** Whether an event is written down, and with which details; undefined leaves it out. */
  auditDetails(name: AccountEventName, details: Record<string, string | number | boolean>): object | undefined;
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
    override async tell(
      name: AccountEventName,
      details: Record<string, string | number | boolean> = {},
      ...about: [account?: { id: number } | undefined]
    ): Promise<void> {
      const account = about.length > 0 ? about[0] : this.account;
      const metadata = this.auditDetails(name, details);
      if (metadata) await this.#write(name, metadata, account);
      await super.tell(name, details, account);
    }
    auditDetails(_name: AccountEventName, details: Record<string, string | number | boolean>): object | undefined {
      return details;
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
