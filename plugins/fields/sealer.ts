import { type BaseController, openSealer, type Sealer } from "framewright/host";

/** Module-level: found by the secrets of an application, and freed with them: deriving a key takes time. */
const sealers = new WeakMap<readonly string[], Map<string, Sealer>>();

/** What seals texts for a purpose, such as "kept file", that a browser gives back. */
export function sealerOf({ request: { settings } }: BaseController, purpose: string): Sealer {
  let own = sealers.get(settings.secrets);
  if (!own) {
    own = new Map();
    sealers.set(settings.secrets, own);
  }
  let sealer = own.get(purpose);
  if (!sealer) {
    sealer = openSealer(settings.secrets, purpose);
    own.set(purpose, sealer);
  }
  return sealer;
}
