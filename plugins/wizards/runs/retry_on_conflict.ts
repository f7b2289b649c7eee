import { conflict } from "framewright/host";
import type { Visit } from "../contract/index.ts";

/** How often a change is tried again that somebody else was faster at. */
const ATTEMPTS = 5;

/** Somebody else changed the run in between: look at it again. */
export class Again extends Error {}

/** Tries again where somebody else was faster. @throws HttpError 409 */
export async function again<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Again)) throw error;
      if (attempt === ATTEMPTS) throw conflict(visit.controller.t("wizards.notices.changed_elsewhere"));
    }
  }
}
