import { HttpError } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { lockRecord } from "framewright/plugins/resources/toolkit";
import type { Transaction } from "objection";
import { planMove, type Side } from "./plan_move.ts";

/** How many rows are looked at on each side of the new place: few first, since there mostly is a gap. */
const WINDOWS = [20, 1000];

/** Where a row goes: next to another one, or past the one before or after it. */
export type Place = { kind: "before" | "after"; id: string } | { kind: "up" | "down" };

/** The number that places a record in its order. */
export const placeOf = (record: BaseModel, column: string): number =>
  Number((record as unknown as Record<string, unknown>)[column] ?? 0);

/** One move, in its transaction: rows that it depends on are locked, so that moves next to each other wait. */
export class OrderChange {
  readonly #controller: ResourceController;
  readonly #column: string;
  readonly #transaction: Transaction;

  constructor(controller: ResourceController, column: string, transaction: Transaction) {
    this.#controller = controller;
    this.#column = column;
    this.#transaction = transaction;
  }

  /** The record as it is then; undefined where it stays. */
  async move(record: BaseModel, place: Place): Promise<BaseModel | undefined> {
    await this.#takeTurn();
    const current = await lockRecord(this.#controller, record, this.#transaction);
    const anchor = await this.#anchorOf(current, place);
    if (!anchor || anchor.$id() === current.$id()) return undefined;
    const isBefore = place.kind === "before" || place.kind === "up";
    for (const limit of WINDOWS) {
      const rows = {
        before: await this.#side(anchor, current, "before", { limit, isWith: !isBefore }),
        after: await this.#side(anchor, current, "after", { limit, isWith: isBefore }),
      };
      if (this.#isThere(current, rows.before[0], rows.after[0])) return undefined;
      const side = (of: readonly BaseModel[]): Side => ({
        positions: of.map((row) => placeOf(row, this.#column)),
        isWhole: of.length < limit,
      });
      const move = planMove(side(rows.before), side(rows.after));
      if (!move) continue;
      for (const [index, position] of [...move.shifts].reverse()) await this.#write(rows[move.side][index]!, position);
      await this.#write(current, move.position);
      return current;
    }
    throw new HttpError(409, "FW_ORDER_FULL", this.#controller.t("resource.order.full"));
  }

  /** Moves lock the same row first, so that none waits for what another one locks in its order, or reads places that it changes. */
  async #takeTurn(): Promise<void> {
    const { table, primaryKey } = this.#controller.registration.model;
    await this.#rows().orderBy(`${table}.${primaryKey}`).forUpdate().first();
  }

  /** The row next to which the record goes. @throws HttpError 409 where it no longer exists */
  async #anchorOf(current: BaseModel, place: Place): Promise<BaseModel | undefined> {
    if (!("id" in place)) {
      const side = place.kind === "up" ? "before" : "after";
      return (await this.#side(current, current, side, { limit: 1, isWith: false }))[0];
    }
    const { model } = this.#controller.registration;
    const key = model.key.parse(place.id);
    const found = key === undefined ? undefined : await model.key.where(this.#rows(), key).forUpdate().first();
    if (!found) throw new HttpError(409, "FW_ORDER_GONE", this.#controller.t("resource.order.gone"));
    return found as BaseModel;
  }

  #rows(): Query<BaseModel> {
    return this.#controller.visibleRecords(this.#transaction);
  }

  /** The rows on one side of another one, the nearest first, without the one that is moved. */
  async #side(
    of: BaseModel,
    moved: BaseModel,
    side: "before" | "after",
    { limit, isWith }: { limit: number; isWith: boolean },
  ): Promise<BaseModel[]> {
    const { table, primaryKey } = this.#controller.registration.model;
    const [key, id] = [`${table}.${this.#column}`, `${table}.${primaryKey}`];
    const [sign, direction] = side === "before" ? (["<", "desc"] as const) : ([">", "asc"] as const);
    const value = placeOf(of, this.#column);
    const query = this.#rows()
      .where((rows) => {
        rows.where(key, sign, value).orWhere((same) => {
          same.where(key, value).where(id, isWith ? `${sign}=` : sign, of.$id() as number);
        });
      })
      .whereNot(id, moved.$id() as number)
      .orderBy([
        { column: key, order: direction },
        { column: id, order: direction },
      ])
      .limit(limit)
      .forUpdate();
    return (await query) as BaseModel[];
  }

  /** Whether the record is between these two already. */
  #isThere(current: BaseModel, before: BaseModel | undefined, after: BaseModel | undefined): boolean {
    const isAfter = (one: BaseModel, other: BaseModel): boolean => {
      const difference = placeOf(one, this.#column) - placeOf(other, this.#column);
      return difference > 0 || (difference === 0 && (one.$id() as number) > (other.$id() as number));
    };
    return (!before || isAfter(current, before)) && (!after || isAfter(after, current));
  }

  async #write(row: BaseModel, position: number): Promise<void> {
    await row.$query(this.#transaction).patch({ [this.#column]: position } as never);
  }
}
