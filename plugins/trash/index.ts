import type { Application, Reply } from "framewright/host";
import { AsyncSeriesHook, checkOptions, definePlugin, type Plugin, stage } from "framewright/kernel";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { checkLinked, hasTrash, markModels, withoutColumns } from "./check_models.ts";
import { deleterNow } from "./deleter.ts";
import { describeTrash } from "./describe_trash.ts";
import { generators } from "./generators/index.ts";
import { offerRestore, restoreQuestion, trashLink } from "./offers.ts";
import { Removal } from "./remove.ts";
import { TrashService } from "./service.ts";
import { examineIndexes } from "./unique_indexes.ts";

export { addTrash, removeTrash, type TrashOptions as TrashColumns } from "./migration.ts";

declare module "framewright/kernel" {
  interface Slots {
    trash: { service: Trash; hooks: TrashHooks };
  }
}

/** Options of `trash()`. */
export interface TrashOptions {
  /** After how long what is in the trash is purged, as `{ days: 30 }`; by default it stays. */
  purgeAfter?: { readonly days: number };
}

/** The service of the slot "trash". */
export interface Trash {
  /**
   * Takes a record out of the trash, with what went there with it, and returns them, itself first.
   * @throws ValidationError where another record has a value by now that must be unique
   * @example await services.trash.restore(post);
   */
  restore(record: BaseModel): Promise<BaseModel[]>;
  /** Deletes a record in the trash for good, with its files and what went there with it. @throws ValidationError where others refer to it */
  purge(record: BaseModel): Promise<void>;
  /** Purges what has been in the trash for longer than `purgeAfter`; returns how many records. */
  purgeExpired(now?: Date): Promise<number>;
}

/** Records that are about to be deleted for good. */
export interface Purging {
  readonly records: readonly BaseModel[];
  readonly transaction: Transaction;
}
/** The hooks of the slot "trash". */
export interface TrashHooks {
  /** Records are about to be deleted for good, in the transaction that does it: remove what hangs on them. A throw leaves them in the trash. */
  purging: AsyncSeriesHook<[purging: Purging]>;
}

const SWEEP_MS = 15 * 60_000;
const wanted = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).join() === "days" &&
  Number.isFinite((value as { days: unknown }).days) &&
  (value as { days: number }).days > 0;

/** Deleted records of models with `static softDelete = true` go to the trash, from which people restore them; columns of `fw:trash`. */
export function trash({ purgeAfter, ...rest }: TrashOptions = {}): Plugin {
  const rule = { expected: "an object such as { days: 30 }", check: wanted };
  checkOptions("trash", { purgeAfter, ...rest }, { purgeAfter: rule });
  const pages = () => import("./actions.ts"); // loaded with the first
  const action = (name: "showTrash" | "changeTrash" | "restoreNamed") => {
    return async (controller: ResourceController): Promise<Reply> => (await pages())[name](controller, service!);
  };
  let service: TrashService | undefined;
  return definePlugin({
    name: "trash",
    generators,
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "resources"],
    uses: ["storage"],
    provides: "trash",
    hooks: (): TrashHooks => ({ purging: new AsyncSeriesHook(["purging"]) }),
    apply({ services: { database, host, resources, storage }, hooks }) {
      const { purging } = hooks.trash;
      const parts = { database, resources, storage, purging, days: purgeAfter?.days, log: () => host.log };
      service = new TrashService(parts);
      hooks.host.loaded.tap("trash", (application) => {
        (application as Application).tracksOrigins = true; // who deletes is noted
      });
      hooks.database.described.tap("trash", (models) =>
        markModels(models, {
          remove: (records, transaction) =>
            new Removal(database, transaction, deleterNow()).run(records as readonly BaseModel[]),
          purge: (records, transaction) =>
            service!.purgeWith(records as readonly BaseModel[], transaction as Transaction),
        }),
      );
      hooks.kernel.ready.tap("trash", () => checkLinked(database.models()));
      hooks.host.examine.tapPromise("trash", async (findings) => {
        findings.push(...(await examineIndexes(database, database.models().filter(hasTrash))));
      });
      hooks.resources.place.tap("trash", ({ about, base, single, draw }) => {
        const { model } = about.registration;
        if (single || about.parent || !hasTrash(model)) return;
        model.reservedParams.add("trash");
        draw("GET", `${base}/trash`, { action: action("showTrash"), policy: "canIndex" });
        draw("POST", `${base}/trash`, { action: action("changeTrash"), policy: "canRestore, canPurge" });
        draw("POST", `${base}/trash/:trash_ids/restore`, { action: action("restoreNamed"), policy: "canRestore" });
      });
      if (hooks.openapi) describeTrash(hooks.openapi.operation);
      hooks.resources.fields.tap("trash", (names, registration) => withoutColumns(names, registration));
      const early = { name: "trash", stage: stage.early };
      hooks.resources.destroyQuestion.tapPromise(early, async (_, controller) => restoreQuestion(controller, service!));
      hooks.resources.destroyed.tap(early, (ids, controller) => offerRestore(ids, controller));
      hooks.resources.listHead.tap("trash", trashLink);
      host.periodic.add(SWEEP_MS, async () => void (await service!.purgeExpired()));
      return service;
    },
  });
}
