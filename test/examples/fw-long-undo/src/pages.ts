import { csrfInput, html, notFound, type Reply, type SafeHtml } from "framewright";
import { type BaseModel, type Database, insertStored, ValidationError } from "framewright/plugins/database";
import { rowOwner } from "framewright/plugins/portals";
import type { ResourcePlace, ResourceRequest } from "framewright/plugins/resources";
import { confirmActions, isDenial, report } from "framewright/plugins/resources/toolkit";
import type { UndoHooks } from "framewright/plugins/undo";
import type { Deletion, Deletions } from "./deletions.ts";
import { deletedUrl, mayRestore, restoreUrl } from "./permissions.ts";

/** The page of what a person has deleted from a list, and what restores it. */
export class Pages {
  readonly #database: Database;
  readonly #deletions: Deletions;
  readonly #restored: UndoHooks["restored"];

  constructor(database: Database, deletions: Deletions, restored: UndoHooks["restored"]) {
    this.#restored = restored;
    this.#database = database;
    this.#deletions = deletions;
  }

  draw({ base, single, about, draw }: ResourcePlace): void {
    if (single || about.parent) return;
    draw("GET", `${base}/deleted`, { action: (controller) => this.show(controller), policy: "canCreate" });
    const restore = (controller: ResourceRequest) => this.restore(controller);
    draw("POST", `${base}/deleted/:batch/restore`, { action: restore, policy: "canCreate" });
  }

  /** The button at a list that leads to the page. */
  button(controller: ResourceRequest): SafeHtml[] {
    if (!mayRestore(controller)) return [];
    return [html`<a class="btn" href="${deletedUrl(controller)}">${controller.t("long_undo.title")}</a>`];
  }

  async show(controller: ResourceRequest): Promise<Reply> {
    await controller.authorizeAction("create");
    if (!mayRestore(controller)) throw notFound();
    const deletions = await this.#deletions.find(rowOwner(controller, controller.registration.constant));
    const batches = [...new Set(deletions.map(({ batch }) => batch))].map((batch) => {
      const own = deletions.filter((one) => one.batch === batch);
      const names = namesOf(own.map(({ label }) => label));
      const url = restoreUrl(controller, batch);
      return { deleted_at: own[0]?.deleted_at, names, url, csrf: csrfInput(controller.request, url) };
    });
    const locals = { title: controller.t("long_undo.title"), batches };
    return controller.render("long_undo", { locals });
  }

  /** Restores what one request has deleted, each record once. @throws HttpError 403, 404 */
  async restore(controller: ResourceRequest): Promise<Reply> {
    await controller.authorizeAction("create");
    if (!mayRestore(controller)) throw notFound();
    const asked = await confirmActions(controller, ["create"]);
    if (asked) return asked;
    const deletions = await this.#deletions.find(
      rowOwner(controller, controller.registration.constant),
      controller.request.routeParams.batch,
    );
    if (deletions.length === 0) throw notFound();
    const [restored, left]: [string[], string[]] = [[], []];
    for (const deletion of deletions) {
      const record = await this.#restoreOne(controller, deletion);
      (record ? restored : left).push(deletion.label);
      if (record) await report(controller, "created", record);
    }
    if (restored.length > 0)
      controller.flash.add("success", controller.t("long_undo.restored", { names: namesOf(restored) }));
    if (left.length > 0) controller.flash.add("warning", controller.t("long_undo.left", { names: namesOf(left) }));
    return controller.redirectTo(controller.listUrl);
  }

  /** Undefined, and nothing is written, where its place is taken, its values are refused, or the person would not see it. */
  async #restoreOne(controller: ResourceRequest, deletion: Deletion): Promise<BaseModel | undefined> {
    const model = this.#database.models().find(({ constant }) => constant === deletion.model);
    if (!model) return undefined;
    try {
      return await this.#database.transaction(async (transaction) => {
        if (!(await this.#deletions.take(deletion.id, transaction))) return undefined;
        const record = await insertStored(model, deletion.row, transaction);
        if (record) await this.#restored.promise({ records: [record], transaction });
        if (record) return await controller.resources.find(controller, model, String(record.$id()), transaction);
        throw new NotRestored(); // it stays on the page
      });
    } catch (error) {
      const isRefused = error instanceof NotRestored || error instanceof ValidationError || isDenial(error);
      if (isRefused) return undefined;
      throw error;
    }
  }
}

class NotRestored extends Error {}
const namesOf = (labels: readonly string[]): string => labels.join(", ");
