import { errors } from "../errors.ts";
import { messageOf } from "./error_table.ts";
import { withTimeout } from "./guard.ts";

/** What a plugin undoes at close. */
export interface Undo {
  plugin: string;
  /** Milliseconds that it may take. */
  within: number;
  run(): void | Promise<void>;
}

/** What is undone when the application closes, the last first. */
export class Undos {
  readonly #undos: Undo[] = [];

  add(undo: Undo): void {
    this.#undos.push(undo);
  }

  /** Runs them all, each within its deadline; a failure does not stop the next. @throws an Error with the messages of all failures */
  async runAll(): Promise<void> {
    const failures: string[] = [];
    for (let undo = this.#undos.pop(); undo; undo = this.#undos.pop()) {
      await runWithin(undo).catch((error: unknown) => failures.push(messageOf(error)));
    }
    if (failures.length > 0) throw new Error(failures.join("; "));
  }
}

function runWithin({ plugin, within, run }: Undo): Promise<void> {
  const undone = (async () => run())();
  return withTimeout(within, undone, () => errors.FW_TAP_TIMEOUT("onClose", plugin, within));
}
