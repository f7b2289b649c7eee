import type { BaseController } from "framewright/host";
import type { AsyncSeriesHook } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";

/** A record went from one state to another by a transition, and it is committed. */
export interface Transitioned {
  /** As it is now. */
  readonly record: BaseModel;
  /** The transition. */
  readonly name: string;
  readonly from: string;
  readonly controller: BaseController;
  readonly currentUser: unknown;
}

/** The hooks of the slot "states". */
export interface TransitionHooks {
  /** Public event: somebody took a record through a transition, and it is committed. `database.changed` hears of those in code as well. */
  transitioned: AsyncSeriesHook<[event: Transitioned]>;
}

declare module "framewright/kernel" {
  interface Slots {
    states: { hooks: TransitionHooks };
  }
}
