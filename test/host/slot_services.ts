import type { Slots } from "framewright/kernel";
import type { AssetsPort, DatabasePort, SessionsPort, TextsPort, ViewsPort } from "../../host/app/ports.ts";
import type {} from "../../plugins/assets/contract.ts";
import type {} from "../../plugins/database/contract.ts";
import type {} from "../../plugins/i18n/contract.ts";
import type {} from "../../plugins/sessions/contract.ts";
import type {} from "../../plugins/views/contract.ts";

// Types only: `npm run check` refuses a service that no longer fits the port through which the host calls it.

/** A service of a slot, or a compile error where it does not fit the port. */
type Fits<Service extends Port, Port> = Service;

export type SlotServices = [
  Fits<Slots["sessions"]["service"], SessionsPort>,
  Fits<Slots["views"]["service"], ViewsPort>,
  Fits<Slots["i18n"]["service"], TextsPort>,
  Fits<Slots["assets"]["service"], AssetsPort>,
  Fits<Slots["database"]["service"], DatabasePort>,
];
