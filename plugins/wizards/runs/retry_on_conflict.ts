import { conflict } from "framewright/host";
import type { Visit } from "../contract/index.ts";

/** How often an operation on a run is tried before it is answered 409. */
const MAX_ATTEMPTS = 5;

/** The row was changed by another request since it was read. */
export class StaleRunError extends Error {}

/** Retries on StaleRunError. @throws HttpError 409 */
export async function retryOnConflict<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleRunError)) throw error;
      if (attempt === MAX_ATTEMPTS) throw conflict(visit.controller.t("wizards.notices.changed_elsewhere"));
    }
  }
}
