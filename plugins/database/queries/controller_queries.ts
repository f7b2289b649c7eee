import type { ControllerClass, Mixin } from "framewright/host";
import type { BaseModel } from "../models/model.ts";
import type { Query } from "../models/types.ts";
import { queryPlace } from "./confinement.ts";

/** What a controller with queries has. */
export interface QueryMethods {
  /** A query of a model: `await this.query(Post).where("status", "live")`. In a scoped portal it stays within the tenant. */
  query<M extends BaseModel>(model: { new (): M }): Query<M>;
  /** A query of a model, of all tenants. */
  unscopedQuery<M extends BaseModel>(model: { new (): M }): Query<M>;
}

/** Lets a controller that shows no resource query models; those of resources can already. */
export const Queries: Mixin<QueryMethods> = (Base) => {
  class WithQueries extends (Base as ControllerClass) {
    query<M extends BaseModel>(model: { new (): M }): Query<M> {
      return this.request.kernel.service("database").queryIn(queryPlace(this), model);
    }
    unscopedQuery<M extends BaseModel>(model: { new (): M }): Query<M> {
      return this.request.kernel.service("database").query(model);
    }
  }
  return WithQueries as never;
};

/** @deprecated Use `QueryMethods`. */
export type QueriesFace = QueryMethods;
