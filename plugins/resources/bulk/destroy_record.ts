import { ValidationError } from "framewright/plugins/database";
import { Interaction } from "../definition/interaction.ts";
import { fail, type Outcome, succeed } from "../definition/outcome.ts";
import { labelOf } from "../entry/labels.ts";
import { announceDestroying } from "../operations/deletion_notice.ts";
import { removeFilesOf } from "../operations/record_files.ts";
import { lockRecord, report } from "../operations/save.ts";
import type { ResourceRequest } from "../request.ts";

/** Deletes a selected record, as its own page does. */
export class DestroyRecord extends Interaction {
  async execute(): Promise<Outcome> {
    const controller = this.controller as ResourceRequest;
    const current = await lockRecord(controller, this.record, this.transaction);
    await announceDestroying({ controller, record: current, transaction: this.transaction });
    try {
      await current.$query(this.transaction).delete();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return fail({}, controller.t("resource.in_use", { name: labelOf(controller, this.record) }));
    }
    return succeed(current);
  }
  override async afterCommit(): Promise<void> {
    const controller = this.controller as ResourceRequest;
    await removeFilesOf(controller, this.record);
    await report(controller, "destroyed", this.record);
  }
}
