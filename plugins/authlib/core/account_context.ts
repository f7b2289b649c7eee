import { type ApplicationContext, announce, type RequestContext, type Session } from "framewright/host";
import { type Knex, retried, type Transaction } from "framewright/plugins/database";
import type { AccountRecord, AccountType } from "../account_type.ts";
import type { AccountEvent, AccountEventName } from "../events.ts";
import type { Feature } from "../feature.ts";

/** The client's address and the time of an event. */
export interface Occurrence {
  readonly address: string;
  readonly at: Date;
}

/** The context of one request and one account type. Every member is public, for applications to use. */
export class AccountContext {
  readonly request: RequestContext;
  readonly type: AccountType;
  /** The account that signs in, or that is signed in. */
  account: AccountRecord | undefined;
  /** Set by a job that reports an earlier event: its address and time. */
  occurrence: Occurrence | undefined;

  constructor(request: RequestContext, type: AccountType) {
    this.request = request;
    this.type = type;
  }

  get application(): ApplicationContext {
    return this.request.application;
  }
  get session(): Session {
    return this.request.session;
  }
  get knex(): Knex {
    return this.type.services.database.knex;
  }
  /** The options of a feature. */
  optionsOf<O extends object>(feature: string): O {
    return ((this.type.features.get(feature) as Feature | undefined)?.options ?? {}) as O;
  }
  /** Runs work in a database transaction, and again after a deadlock. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.type.services.database.transaction(work, {
      until: this.request.deadline,
      by: `the account type "${this.type.name}"`,
    });
  }
  /** Runs one statement outside of a transaction, and again after a deadlock, which has undone it. */
  statement<T>(run: () => PromiseLike<T>): Promise<T> {
    return retried(run, this.request.deadline);
  }
  /** Translates the text `authlib.<key>`. */
  t(key: string, vars: Record<string, unknown> = {}): string {
    return this.request.t(`authlib.${key}`, vars);
  }
  /** Address and time of the next event: those of this request, or those that a job has set. */
  get occurred(): Occurrence {
    return this.occurrence ?? { address: this.request.address, at: new Date() };
  }
  /** Emits the hook `auth.account`, for `this.account` unless another account, or undefined, is passed. Call it after the change is stored. */
  async emitEvent(
    name: AccountEventName,
    details: Record<string, string | number | boolean> = {},
    ...about: [account?: { id: number } | undefined]
  ): Promise<void> {
    const { type, request } = this;
    const account = about.length > 0 ? about[0] : this.account;
    const { address, at } = this.occurred;
    const acting: AccountEvent["details"] = request.actorFor(account) ? { actor: request.acting!.actorName } : {};
    const { events } = type.services;
    const event = { name, type: type.name, accountId: account?.id, address, at, details: { ...details, ...acting } };
    await announce(events, "auth.account", event, request.application);
  }
}
