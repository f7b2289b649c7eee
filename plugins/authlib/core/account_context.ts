import { type Application, announce, type RequestContext, type Session } from "framewright/host";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord, AccountType } from "../account_type.ts";
import type { AccountEventName } from "../events.ts";
import type { Feature } from "../feature.ts";

/** The client's address, and when. */
export interface Occurrence {
  readonly address: string;
  readonly at: Date;
}

/** What an account plugin works with: one instance a request and account type. All of it is public, for applications to use. */
export class Context {
  readonly request: RequestContext;
  readonly type: AccountType;
  /** The account that this is about: the one that signs in, or that is signed in. */
  account: AccountRecord | undefined;
  /** Where and when something happened that a job reports. */
  occurrence: Occurrence | undefined;

  constructor(request: RequestContext, type: AccountType) {
    this.request = request;
    this.type = type;
  }

  get application(): Application {
    return this.request.application;
  }
  get session(): Session {
    return this.request.session;
  }
  get knex(): Knex {
    return this.type.services.database.knex;
  }
  /** The options that a feature was given. */
  optionsOf<O extends object>(feature: string): O {
    return ((this.type.features.get(feature) as Feature | undefined)?.options ?? {}) as O;
  }
  /** All of it or nothing; tried again after a deadlock. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.type.services.database.transaction(work, {
      until: this.request.deadline,
      by: `the account type "${this.type.name}"`,
    });
  }
  /** Below `authlib.`, in the catalogue. */
  t(key: string, vars: Record<string, unknown> = {}): string {
    return this.request.t(`authlib.${key}`, vars);
  }
  /** Where and when the event comes about that is told next: in this request, unless a job reports it. */
  get occurred(): Occurrence {
    return this.occurrence ?? { address: this.request.address, at: new Date() };
  }
  /** Tells what happened to an account, this one unless another or nobody is given; call it once that is stored. */
  async tell(
    name: AccountEventName,
    details: Record<string, string | number | boolean> = {},
    ...about: [account?: { id: number } | undefined]
  ): Promise<void> {
    const { type, request } = this;
    const account = about.length > 0 ? about[0] : this.account;
    const { address, at } = this.occurred;
    const { events } = type.services;
    const event = { name, type: type.name, accountId: account?.id, address, at, details };
    await announce(events, "auth.account", event, request.application);
  }
}
