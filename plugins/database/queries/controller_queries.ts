import type { BaseController, ControllerClass, Mixin } from "framewright/host";
import type { BaseModel } from "../models/model.ts";
import type { Query } from "../models/types.ts";
import { queryPlace } from "./confinement.ts";

/** Options of a controller's `query`. */
export interface QueryOptions {
  /**
   * `replica`: of a request that only reads, on a server of DATABASE_REPLICA_URLS where one will do. For what is shown, and
   * not for what decides what a person may do: a replica is a moment late. By default the primary.
   */
  from?: "primary" | "replica";
}

/** What a controller with queries has. */
export interface QueryMethods {
  /** A query of a model: `await this.query(Post).where("status", "live")`. In a scoped portal it stays within the tenant. */
  query<M extends BaseModel>(model: { new (): M }, options?: QueryOptions): Query<M>;
  /** A query of a model, of all tenants. */
  unscopedQuery<M extends BaseModel>(model: { new (): M }): Query<M>;
}

/** The query of a controller, for its `query`. */
export function controllerQuery<M extends BaseModel>(
  controller: BaseController,
  model: { new (): M },
  { from = "primary" }: QueryOptions = {},
): Query<M> {
  const { request } = controller;
  const database = request.kernel.service("database");
  return database.queryIn(
    queryPlace(controller),
    model,
    from === "replica" ? database.replicaFor(request, true) : undefined,
  );
}

/** Lets a controller that shows no resource query models; those of resources can already. */
export const Queries: Mixin<QueryMethods> = (Base) => {
  class WithQueries extends (Base as ControllerClass) {
    query<M extends BaseModel>(model: { new (): M }, options?: QueryOptions): Query<M> {
      return controllerQuery(this, model, options);
    }
    unscopedQuery<M extends BaseModel>(model: { new (): M }): Query<M> {
      return this.request.kernel.service("database").query(model);
    }
  }
  return WithQueries as never;
};
