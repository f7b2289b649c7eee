import { accountId, type RowOwner, rowOwner } from "framewright/plugins/portals";
import type { ResourceController } from "framewright/plugins/resources";
import type { ListSettings } from "./index.ts";
import type { StoredSettings } from "./store.ts";

/** Where the settings of a list are changed, below the list. */
export const SETTINGS = "/list/settings";

/** The service, for a list of a person who is found again; undefined for guests and for lists below a parent. */
export function listSettingsOf(controller: ResourceController): ListSettings | undefined {
  const isKept = accountId(controller.currentUser) !== undefined && controller.about.parent === undefined;
  return isKept ? controller.request.kernel.service("list_settings") : undefined;
}
export const ownerOf = (controller: ResourceController): RowOwner =>
  rowOwner(controller, controller.registration.constant);

interface Known {
  readonly reading: Promise<StoredSettings | undefined>;
  stored?: StoredSettings | undefined;
}
/** Module-level: found by a controller, and freed with it. */
const known = new WeakMap<object, Known>();

/** How the person left the list; read once a request. Undefined where nothing is stored. */
export function readSettings(controller: ResourceController): Promise<StoredSettings | undefined> {
  let one = known.get(controller);
  if (!one) {
    const reading = listSettingsOf(controller)?.store.find(ownerOf(controller)) ?? Promise.resolve(undefined);
    const read: Known = {
      reading: reading.then((stored) => {
        read.stored = stored;
        return stored;
      }),
    };
    known.set(controller, read);
    one = read;
  }
  return one.reading;
}
/** The same where it has been read for the request's page. */
export const settingsRead = (controller: object): StoredSettings | undefined => known.get(controller)?.stored;
