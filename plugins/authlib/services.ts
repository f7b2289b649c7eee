import type { ApplicationContext, Digests, Sealer } from "framewright/host";
import type { AsyncSeriesHook } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import type { Jobs } from "framewright/plugins/jobs";
import type { Mailer } from "framewright/plugins/mailer";
import type { PasswordHasher } from "framewright/plugins/passwords";
import type { AccountEvent } from "./events.ts";
import type { KeyedMutex } from "./keyed_mutex.ts";
import type { Limits } from "./limits.ts";

/** The services of account plugins, shared by all account types of an application. */
export interface AuthlibServices {
  readonly host: ApplicationContext;
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly mailer: Mailer;
  readonly jobs: Jobs;
  readonly mutex: KeyedMutex;
  readonly digests: Digests;
  /** The sealer of a purpose; cached. */
  sealer(purpose: string): Sealer;
  readonly limits: Limits;
  readonly events: AsyncSeriesHook<[event: AccountEvent]>;
  /** Lets plugins add to the lines of an account's overview. */
  addLines(lines: object[], authlib: object): Promise<void>;
}
