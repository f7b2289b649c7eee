import type { Readable } from "node:stream";
import type { SyncHook } from "framewright/kernel";
import type { AccountKey, AccountRecord, AccountType } from "framewright/plugins/authlib";
import type { ModelInfo, Transaction } from "framewright/plugins/database";

/** The person whose data is exported or erased. */
export interface Person {
  readonly type: AccountType;
  /** The account's key, as tables without a foreign key store it. */
  readonly id: string;
  readonly account: AccountRecord;
  /**
   * The login; of an account that was closed before, the login that it had. Empty where it was erased
   * already, is not verified, or is somebody else's by now.
   */
  readonly login: string;
  /** By what texts name the person: the login, and `toLabel()` where it has several words, as one may be any word. */
  readonly names: readonly string[];
  /**
   * Whether the columns of a row name the person as its owner: by the account type (`user`), its model (`User`), its table
   * (`users`), or as rows of portals do (`authlib user`); also what somebody stored while they acted for the person.
   */
  owns(type: unknown, id: unknown): boolean;
}

/** An erasure that is under way. */
export interface Erasure {
  readonly person: Person;
  /** All of it is written in this transaction. */
  readonly transaction: Transaction;
  /** Takes the place of the person's name: "Deleted person", in the application's language. */
  readonly label: string;
  /** Takes the place of what the person wrote to others; undefined where `personalData({ writtenTexts: "keep" })`. */
  readonly text: string | undefined;
  /** Whether a table is there: the migration of a plugin may not have run. */
  hasTable(name: string): boolean;
  /** A text in which the label is in the place of the person's names. */
  anonymised(text: string): string;
  /** For a source that deleted rows of a model by itself: what is stored of them elsewhere is erased, as of declared models. */
  rowsDeleted(model: ModelInfo, keys: readonly string[]): Promise<void>;
  /** Deletes a file from the storage once all is committed, by a job that is repeated until it could. */
  deleteFile(key: string): void;
  /** Does work in this process once all is committed; a failure is logged. */
  afterCommit(work: () => void | Promise<void>): void;
}

/** A row of a declared model that was erased. */
export interface ErasedRow {
  /** Its key as a text. */
  readonly key: string;
  readonly fate: "deleted" | "anonymised";
  /** The columns whose values are replaced; of a deleted row all. */
  readonly columns: readonly string[];
}

/** A file of the export. */
export interface PersonalFile {
  /** Below `files/`: "12-plan.pdf". */
  readonly name: string;
  open(): Promise<Readable>;
}

/** Rows that something besides declared models has of a person: a plugin's table, a service elsewhere. */
export interface PersonalSource {
  /** The name of its file in the export: "comments". */
  readonly name: string;
  /** What is exported: values that JSON has; never secrets, nor what others wrote. */
  rows?(person: Person): AsyncIterable<object>;
  /** The files of rows of a declared model that are the person's. */
  files?(model: ModelInfo, keys: readonly string[]): AsyncIterable<PersonalFile>;
  /** Erases or anonymises what is the person's, in the erasure's transaction. Doing it twice does nothing more. */
  erase?(erasure: Erasure): Promise<void>;
  /** Rows of a declared model were erased: does the same to what is stored of them elsewhere. */
  eraseRows?(erasure: Erasure, model: ModelInfo, rows: readonly ErasedRow[], keepsFiles: boolean): Promise<void>;
  /** Whether it takes care of a model, which then needs no `static personal`. */
  covers?(model: ModelInfo): boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** A table of a plugin's own, as a source. */
export interface PersonalTable {
  readonly name: string;
  readonly table: string;
  /** The columns that name the owner of a row; `owner_type` and `owner_id` by default. False for a table without owners. */
  readonly owner?: { readonly type: string; readonly id: string } | false;
  /** The columns that are exported; none by default. */
  readonly shown?: readonly string[];
  /** What becomes of the person's rows: they are deleted, or get the values that are returned. By default they stay. */
  readonly erase?: "delete" | ((row: Row, erasure: Erasure) => Row | undefined);
  /** The keys of files in the storage that go with a deleted row. */
  readonly files?: (row: Row) => readonly string[];
  /** Tables whose rows go with a deleted row: `{ table: "framewright_import_failures", column: "import_id" }`. */
  readonly parts?: readonly { readonly table: string; readonly column: string }[];
  /** Columns of everybody's rows with texts that name people: the person's names in them are replaced. */
  readonly mentions?: readonly string[];
}

/** What the hook `sources` collects. */
export interface PersonalSources {
  /** @throws FW_PERSONAL_SOURCE where two have one name */
  add(source: PersonalSource): void;
  /** @example sources.table({ name: "presence", table: "framewright_presence", erase: "delete" }) */
  table(table: PersonalTable): void;
}

/** The service of the slot "personal_data". */
export interface PersonalDataService {
  /**
   * The person's data as the bytes of a ZIP, some at a time; an entry of the account's log is written before the first.
   * @example for await (const chunk of personal.export("user", "ann@shop.example")) file.write(chunk);
   * @throws FW_ACCOUNT_MISSING, FW_ACCOUNT_TYPE_UNKNOWN
   */
  export(type: string, who: AccountKey, by?: PersonalBy): AsyncIterable<Buffer>;
  /**
   * Closes the account and erases the person, in one transaction. Of a person who was erased before it does nothing more. In a
   * transaction of your own name the account by its number.
   * @throws FW_ACCOUNT_MISSING, FW_LAST_OWNER (409), FW_PERSONAL_REFERENCED
   */
  erase(type: string, who: AccountKey, by?: PersonalBy & { readonly transaction?: Transaction }): Promise<Erased>;
}
/** Who does it, for the account's log. */
export interface PersonalBy {
  /** As "admin 3"; undefined for the person. */
  readonly actor?: string | undefined;
  /** The network address. */
  readonly address?: string | undefined;
}
/** A finished erasure. */
export interface Erased {
  /** How many rows were erased, by the constant of their model. */
  readonly rows: Readonly<Record<string, number>>;
  /** Emits the events of the account. Done already, but for a transaction of your own: call it after the commit. */
  emitEvents(): Promise<void>;
}

/** The hooks of the slot "personal_data". */
export interface PersonalDataHooks {
  /** At boot: add what your plugin stores of people besides declared models. */
  sources: SyncHook<[sources: PersonalSources]>;
}

declare module "framewright/kernel" {
  interface Slots {
    personal_data: { service: PersonalDataService; hooks: PersonalDataHooks };
  }
}
