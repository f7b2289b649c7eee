import { fail, Interaction, type Outcome, type ResourceRequest, succeed } from "framewright/plugins/resources";
import { destroyProblem, lockRecord, removeFilesOf, report } from "framewright/plugins/resources/toolkit";

/** Deletes a selected record, as its own page does. */
export class DestroyRecord extends Interaction {
  async execute(): Promise<Outcome> {
    const controller = this.controller as ResourceRequest;
    const current = await lockRecord(controller, this.record, this.transaction);
    const { destroying } = controller.resources.hooks;
    if (destroying.isUsed() && !controller.registration.model.mark)
      await destroying.promise({ controller, record: current, transaction: this.transaction });
    try {
      await current.$query(this.transaction).delete();
    } catch (error) {
      return fail({}, destroyProblem(controller, this.record, error));
    }
    return succeed(current);
  }
  override async afterCommit(): Promise<void> {
    const controller = this.controller as ResourceRequest;
    await removeFilesOf(controller, this.record);
    await report(controller, "destroyed", this.record);
  }
}
