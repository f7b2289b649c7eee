import { addToOrigin, HttpError, notFound, type Reply, unprocessable } from "framewright/host";
import { type BaseModel, ModelInfo, ValidationError } from "framewright/plugins/database";
import { labelOf, type ResourceController } from "framewright/plugins/resources";
import { refuseUnknownKeys, report } from "framewright/plugins/resources/toolkit";
import type { Transaction } from "objection";
import { mayMove } from "./may_move.ts";
import { OrderChange, type Place, placeOf } from "./order_change.ts";

/** Moves a record within the order of what the person sees of the tenant, and of the parent of a nested route. */
export async function moveRecord(controller: ResourceController, record: BaseModel): Promise<Reply> {
  addToOrigin({ means: "order" });
  const { registration, resources, request } = controller;
  const { reorderedBy: column } = registration.definition;
  if (column === undefined) throw notFound();
  if (!mayMove(controller, controller.policyFor(record))) throw notFound();
  const place = readPlace(controller);
  const limits = { until: request.deadline, by: `the order of "${registration.constant}"` };
  const isPage = request.format !== "json";
  const back = () => controller.redirectTo(controller.returnTo() ?? controller.listUrl);
  try {
    const move = (transaction: Transaction) => new OrderChange(controller, column, transaction).move(record, place);
    const moved = await resources.database.transaction(move, limits);
    if (moved) await report(controller, "updated", moved);
    if (!isPage)
      return controller.json({ data: { id: ModelInfo.keyOf(record), [column]: placeOf(moved ?? record, column) } });
    if (moved)
      controller.flash.add("success", controller.t("resource.order.moved", { name: labelOf(controller, moved) }));
    return back();
  } catch (error) {
    const refused = refusalOf(controller, error);
    if (!isPage) throw refused;
    controller.flash.add("error", refused.message);
    return back();
  }
}

/** Why rows could not be moved, as shown to people; anything else is thrown as it is. */
function refusalOf(controller: ResourceController, error: unknown): HttpError {
  if (error instanceof ValidationError) return new HttpError(422, "FW_INVALID", controller.t("resource.order.refused"));
  if (error instanceof HttpError && error.code.startsWith("FW_ORDER_")) return error;
  throw error;
}

/** `before` or `after` with the id of another row, or `move` with "up" or "down". @throws HttpError 422 */
function readPlace(controller: ResourceController): Place {
  refuseUnknownKeys(controller, ["before", "after", "move"]);
  const { params } = controller;
  for (const kind of ["before", "after"] as const) {
    const id = params.get(kind);
    if (typeof id === "string" || typeof id === "number") return { kind, id: String(id) };
  }
  const kind = params.get("move");
  if (kind === "up" || kind === "down") return { kind };
  const text = "names the id of another row as before or after, or move as up or down";
  throw unprocessable(`A row's place ${text}.`, { move: [text] });
}
