import { type Application, messageOf } from "framewright/host";
import {
  AccountAdministration,
  type AccountKey,
  type AccountRecord,
  type AccountType,
  type CloseAccountSteps,
  offlineAuthlib,
} from "framewright/plugins/authlib";
import type { Database, Transaction } from "framewright/plugins/database";
import type { Jobs } from "framewright/plugins/jobs";
import type { Erased, Erasure, Person, PersonalBy } from "./contract.ts";
import { eraseModels } from "./erase_rows.ts";
import { asPerson, wasErased, withoutNames } from "./person.ts";
import type { Plan } from "./plan.ts";
import type { Sources } from "./sources.ts";

/** The job that deletes files from the storage: it has their keys, and nobody's name. */
export const FILES_JOB = "personal_data.files";
/** Files of one job. */
const MAX_FILES = 500;

/** The names of the tables, as they were read last. */
export class KnownTables {
  readonly #database: Database;
  #names: ReadonlySet<string> = new Set();

  constructor(database: Database) {
    this.#database = database;
  }
  async read(): Promise<void> {
    this.#names = new Set(await this.#database.tables());
  }
  has(name: string): boolean {
    return this.#names.has(name);
  }
}

export interface EraseParts {
  readonly host: Application;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly sources: Sources;
  readonly keepsTexts: boolean;
  readonly tables: KnownTables;
  planOf(type: AccountType): Plan;
  text(key: string): string;
}

/** Closes the account and erases the person: all of it or nothing. */
export async function erase(
  parts: EraseParts,
  type: AccountType,
  who: AccountKey,
  { transaction, ...by }: PersonalBy & { transaction?: Transaction },
): Promise<Erased> {
  const accounts = new AccountAdministration(type, by);
  const id = typeof who === "number" ? who : ((await accounts.find(who)) as AccountRecord).id;
  if (!transaction) await parts.tables.read(); // a transaction may have the only connection of the database
  const work = (trx: Transaction) => eraseWithin(parts, { accounts, id, by }, trx);
  if (transaction) return work(transaction);
  const erased = await parts.database.transaction(work, { by: "the erasure of a person" });
  await erased.emitEvents();
  return erased;
}

interface Erasing {
  readonly accounts: AccountAdministration;
  readonly id: number;
  readonly by: PersonalBy;
}

async function eraseWithin(parts: EraseParts, erasing: Erasing, transaction: Transaction): Promise<Erased> {
  const { accounts, id, by } = erasing;
  const { type } = accounts;
  const authlib = offlineAuthlib(type);
  await authlib.lockAccount({ id }, transaction); // of two erasures at once the second finds the person erased
  const account = await authlib.findAccountById(id, transaction);
  const before = account && (await asPerson(type, account, transaction)); // as it was before it was closed
  const isRepeated = account !== undefined && wasErased(type, account);
  const closed = await accounts.closeWithin(id, transaction); // throws where there is none
  const person = before!;
  const files: string[] = [];
  const erasure = erasureOf(parts, person, transaction, files);
  const all = parts.sources.all();
  for (const source of all) await source.erase?.(erasure);
  const steps = offlineAuthlib(type) as Partial<CloseAccountSteps>;
  if (!isRepeated) await steps.deleteAccountData?.(person.account, transaction);
  const scope = { plan: parts.planOf(type), sources: all, loginColumn: type.class.loginColumn };
  const rows = await eraseModels(parts.database, scope, erasure);
  for (let at = 0; at < files.length; at += MAX_FILES)
    await parts.jobs.enqueue(FILES_JOB, { keys: files.slice(at, at + MAX_FILES) }, { transaction });
  const emitEvents = async () => {
    await closed.emitEvents();
    if (!isRepeated) await report("data_erased", type, id, by);
  };
  return { rows, emitEvents };
}

function erasureOf(
  { host, keepsTexts, text, tables, sources }: EraseParts,
  person: Person,
  transaction: Transaction,
  files: string[],
): Erasure {
  const label = text("label");
  const afterCommit: Erasure["afterCommit"] = (work) => {
    const done = async () => work();
    const failed = (error: unknown) =>
      host.log.error({ err: error }, `after an erasure something could not be done: ${messageOf(error)}`);
    transaction.executionPromise?.then(
      () => done().catch(failed),
      () => undefined,
    );
  };
  const erasure: Erasure = {
    ...{ person, transaction, label, afterCommit },
    async rowsDeleted(model, keys) {
      const columns = [...model.columns.keys()];
      const rows = keys.map((key) => ({ key, fate: "deleted" as const, columns }));
      for (const source of sources.all()) await source.eraseRows?.(erasure, model, rows, false);
    },
    text: keepsTexts ? undefined : text("erased_text"),
    deleteFile: (key) => void files.push(key),
    hasTable: (name) => tables.has(name),
    anonymised: (given) => withoutNames(given, person.names, label),
  };
  return erasure;
}

/** Writes an entry of the account's log: who did it, of whose account, from where. */
export async function report(
  name: "data_erased" | "data_exported",
  type: AccountType,
  id: number,
  { actor, address }: PersonalBy,
): Promise<void> {
  const authlib = offlineAuthlib(type);
  if (address !== undefined) authlib.occurrence = { address, at: new Date() };
  const details: Record<string, string> = actor === undefined ? {} : { by: "administrator", actor };
  await authlib.emitEvent(name, details, { id });
}
