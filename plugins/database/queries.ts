import type { ControllerClass, Mixin } from "framewright";
import type { BaseModel } from "./model.ts";
import type { Query } from "./types.ts";

/** What a controller with queries has. */
export interface QueriesFace {
  /** A query of a model: `await this.query(Post).where("status", "live")`. */
  query<M extends BaseModel>(model: { new (): M }): Query<M>;
}

/** Lets a controller that shows no resource query models; those of resources do so by themselves. */
export const Queries: Mixin<QueriesFace> = (Base) => {
  class WithQueries extends (Base as ControllerClass) {
    query<M extends BaseModel>(model: { new (): M }): Query<M> {
      return this.request.kernel.service("database").query(model);
    }
  }
  return WithQueries as never;
};
